/// Refrain beside other task systems: the same graphs, the same kernel, the same number of threads,
/// in one run. Each measurement is a process of its own; rounds interleave the systems and begin
/// with another one each time.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <thread>

#include "common/pingpong.hpp"
#include "common/results.hpp"
#include "graphs/kernel.hpp"
#include "peers/results.hpp"

namespace {

using namespace peers;

/// One measure and the arguments that ask a peer's program for it.
struct Request {
    Measure measure;
    std::string arguments;
};

std::vector<Request> requests_of(const Config& config) {
    const std::string common = " --threads " + std::to_string(config.threads) + " --steps " +
                               std::to_string(config.steps) + " --warm-up-runs " +
                               std::to_string(config.warm_up_runs);
    std::vector<Request> all;
    all.push_back({"overhead", "--what overhead --width " + std::to_string(config.overhead_width) +
                                   common + (config.quick ? " --seconds 0" : "")});
    const std::string sweep =
        config.quick ? " --seconds 0 --runs 1 --ratio 0.25 --largest-ns 2000 --not-upwards"
                     : " --seconds 0.01";
    for (const std::string& pattern : config.patterns)
        for (const int width : config.widths)
            all.push_back({"metg/" + pattern + "/width_" + std::to_string(width),
                           "--what metg --pattern " + pattern + " --width " +
                               std::to_string(width * static_cast<int>(config.threads)) + common +
                               sweep});
    return all;
}

/// The peers that are asked for, and the programs that are not there.
struct Known {
    std::vector<Peer> present;
    std::vector<Program> absent;
};

Known known_peers(const Config& config) {
    Known known;
    for (const Program& program : programs()) {
        const auto& only = config.only;
        const bool is_asked_for = only.empty() || program.name == "refrain" ||
                                  std::find(only.begin(), only.end(), program.name) != only.end();
        if (!is_asked_for) continue;
        if (program.path.empty()) {
            known.absent.push_back(program);
            continue;
        }
        for (const Peer& peer : peers_of(program)) known.present.push_back(peer);
    }
    return known;
}

void measure_round(const std::vector<Peer>& peers, const std::vector<Request>& requests, int round,
                   unsigned threads, Results& results) {
    results.add_pingpong(bench::pingpong_ns());
    // One peak for all systems of a round.
    const std::string peak = " --peak-flops " + std::to_string(graphs::peak_flops(threads));
    for (const Request& request : requests)
        for (std::size_t i = 0; i < peers.size(); ++i) {
            const Peer& peer = peers[(i + static_cast<std::size_t>(round)) % peers.size()];
            std::fprintf(stderr, "\rround %d: %-65s", round + 1,
                         (request.measure + " of " + peer.name()).c_str());
            results.add(request.measure, peer, measure(peer, request.arguments + peak));
        }
    results.add_pingpong(bench::pingpong_ns());
}

int run(Config config) {
    if (config.threads == 0) config.threads = std::max(1U, std::thread::hardware_concurrency());
    if (config.quick) {
        config.rounds = 1;
        config.steps = 100;
        config.widths = {1};
        config.warm_up_runs = 1;
    }
    const Known known = known_peers(config);
    Results results(known.present, known.absent);
    const std::vector<Request> requests = requests_of(config);
    for (int round = 0; round < config.rounds; ++round)
        measure_round(known.present, requests, round, config.threads, results);
    std::fprintf(stderr, "\n");
    results.print(config);
    if (!config.json.empty()) {
        bench::write_json(config.json, results.to_json(config));
        std::printf("\nresults are in %s\n", config.json.c_str());
    }
    return 0;
}

void add_options(CLI::App& app, Config& config) {
    std::vector<std::string> names;
    for (const Program& program : programs()) names.push_back(program.name);
    app.add_option("--peers", config.only, "Systems beside Refrain, separated by commas; none: all")
        ->delimiter(',')
        ->check(CLI::IsMember(names));
    app.add_option("--patterns", config.patterns,
                   "Dependence patterns for METG, separated by commas; metg --help lists them")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--widths", config.widths, "Columns per thread for METG, separated by commas")
        ->delimiter(',')
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    app.add_option("--threads", config.threads, "Threads that run tasks; 0: one per core")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    app.add_option("--steps", config.steps, "Steps of each graph")
        ->check(CLI::Range(10, 1'000'000))
        ->capture_default_str();
    app.add_option("--rounds", config.rounds, "Times everything is measured; medians are reported")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--json", config.json, "Write the results to this file, too");
    app.add_flag("--quick", config.quick, "One short round, to see that everything works");
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "Refrain beside other task systems: empty tasks in a three-point stencil of width 4, and "
        "METG(50 %) as in Task Bench.");
    Config config;
    try {
        add_options(app, config);
        CLI11_PARSE(app, argc, argv);
        return run(config);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "\npeers: %s\n", error.what());
        return 1;
    }
}
