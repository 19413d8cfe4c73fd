/// Measures the minimum effective task granularity at 50 % efficiency, METG(50 %), of Refrain
/// untraced, traced by hand and traced automatically, over the dependence patterns of Task Bench.

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "common/pingpong.hpp"
#include "graphs/command_line.hpp"
#include "metg/results.hpp"

namespace {

using namespace metg;

std::vector<Case> cases_of(const Config& config) {
    std::vector<Case> cases;
    for (const std::string& pattern : config.patterns)
        for (const int width : config.widths)
            for (const std::string& way : config.ways)
                cases.push_back({graphs::pattern_named(pattern).value(), width, way});
    return cases;
}

graphs::Sweep measure(const Config& config, const Case& measured) {
    const int width = measured.width_per_thread * static_cast<int>(config.threads);
    const graphs::TaskGraph graph({measured.pattern, width, config.steps, config.radix});
    const auto system = graphs::make_system(measured.way, graph, config.threads);
    return graphs::sweep(*system, graph, config.sweep);
}

void check_steps(const Config& config) {
    const int widest = *std::max_element(config.widths.begin(), config.widths.end());
    const int least = 4 * widest * static_cast<int>(config.threads);
    if (config.steps < least)
        throw std::runtime_error("--steps " + std::to_string(config.steps) + ": graphs of " +
                                 std::to_string(least / 4) +
                                 " columns need at least four times as many steps, since some grow "
                                 "and shrink; use --steps " +
                                 std::to_string(least) + " or more, or smaller --widths");
}

/// Applies --quick.
void shorten(Config& config) {
    config.steps = std::max(400, 4 * 4 * static_cast<int>(config.threads));
    config.sweep.ratio = 0.25;
    config.sweep.seconds = 0;
    config.sweep.runs = 1;
    config.sweep.largest_ns = 2'000;
    config.sweep.upwards = false;
}

void run(Config& config) {
    config.sweep.threads = config.threads;
    if (config.quick) shorten(config);
    check_steps(config);
    const std::vector<Case> cases = cases_of(config);
    Results results;
    std::size_t done = 0;
    const std::size_t all = cases.size() * static_cast<std::size_t>(config.rounds);
    for (int round = 0; round < config.rounds; ++round) {
        results.add_pingpong(bench::pingpong_ns());
        for (std::size_t i = 0; i < cases.size(); ++i) {
            // Each round starts with a different case.
            const Case& next = cases[(i + static_cast<std::size_t>(round)) % cases.size()];
            std::fprintf(stderr, "\r%3zu of %zu: %-45s", ++done, all, next.name().c_str());
            results.add(next, measure(config, next));
        }
        results.add_pingpong(bench::pingpong_ns());
    }
    std::fprintf(stderr, "\n");
    results.print(config);
    graphs::write_results(config, results.to_json(config));
}

}  // namespace

int main(int argc, char** argv) {
    refrain::cli::CommandLine app(
        "Measures the smallest tasks that Refrain runs at half of the machine's rate: METG(50 %) "
        "over the "
        "dependence patterns of Task Bench (Slaughter et al., SC 2020).");
    Config config;
    config.patterns = graphs::pattern_names();
    for (const graphs::Way& way : graphs::ways())
        if (!way.name.ends_with("_single")) config.ways.push_back(way.name);  // those of peers
    graphs::add_options(app, config);
    graphs::add_list(app, "--ways", config.ways, std::vector(config.ways), "Tracing modes")
        .show_default();
    app.add_option("--radix", config.radix, "Dependences per task of nearest and spread")
        .between(1, 1024)
        .show_default();
    app.add_option("--ratio", config.sweep.ratio, "Ratio of one task size to the one before")
        .between(0.1, 0.95)
        .show_default();
    app.add_option("--seconds", config.sweep.seconds, "Least measured time per task size")
        .between(0.0, 100.0)
        .show_default();
    return graphs::run_benchmark(app, config, "metg", argc, argv, [&] { run(config); });
}
