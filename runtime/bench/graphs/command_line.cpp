#include "graphs/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <thread>

#include "common/results.hpp"

namespace graphs {

std::vector<std::string> pattern_names() {
    std::vector<std::string> names;
    for (const Pattern pattern : all_patterns()) names.emplace_back(name_of(pattern));
    return names;
}

refrain::cli::Option add_list(refrain::cli::CommandLine& app, const std::string& name,
                              std::vector<std::string>& values,
                              const std::vector<std::string>& known, const std::string& help) {
    return app.add_option(name, values, help + ", separated by commas")
        .separated_by(',')
        .one_of(known);
}

void add_options(refrain::cli::CommandLine& app, RunConfig& config) {
    add_list(app, "--patterns", config.patterns, pattern_names(), "Dependence patterns")
        .show_default();
    app.add_option("--widths", config.widths, "Columns per thread, separated by commas")
        .separated_by(',')
        .between(1, 1024)
        .show_default();
    app.add_option("--threads", config.threads, "Threads that run tasks; 0: one per core")
        .between(0, 1024)
        .show_default();
    app.add_option("--steps", config.steps, "Steps of each graph")
        .between(1, 1'000'000)
        .show_default();
    app.add_option("--rounds", config.rounds, "Measurements of everything; medians are reported")
        .between(1, 1000)
        .show_default();
    app.add_option("--json", config.json, "Also write the results to this file");
    app.add_flag("--quick", config.quick, "One short round that only tests the benchmark");
}

int run_benchmark(refrain::cli::CommandLine& app, RunConfig& config, const char* benchmark,
                  int argc, char** argv, const std::function<void()>& run) {
    if (!app.parse(argc, argv)) return app.exit_status();
    if (config.threads == 0) config.threads = std::max(1U, std::thread::hardware_concurrency());
    if (config.quick) config.rounds = 1;
    try {
        run();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "\n%s: %s\n", benchmark, error.what());
        return 1;
    }
}

void write_results(const RunConfig& config, const nlohmann::json& results) {
    if (config.json.empty()) return;
    bench::write_json(config.json, results);
    std::printf("\nresults are in %s\n", config.json.c_str());
}

}  // namespace graphs
