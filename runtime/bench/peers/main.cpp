/// Compares Refrain with other task systems: the same graphs, kernel and number of threads, in one
/// run. Each measurement is a process of its own; rounds interleave the systems, and each round
/// starts with a different one.

#include <algorithm>
#include <cstdio>
#include <exception>

#include "common/pingpong.hpp"
#include "graphs/command_line.hpp"
#include "graphs/kernel.hpp"
#include "peers/results.hpp"

namespace {

using namespace peers;

/// A measure and the arguments with which a peer's program takes it.
struct Request {
    Measure measure;
    std::string arguments;
};

std::vector<Request> requests_of(const Config& config) {
    const std::string runs = " --steps " + std::to_string(config.steps) + " --warm-up-runs " +
                             std::to_string(config.warm_up_runs);
    const std::string common = " --threads " + std::to_string(config.threads) + runs;
    std::vector<Request> all;
    const auto overhead = [&](unsigned threads) {
        return "--what overhead --width " + std::to_string(config.overhead_width) + " --threads " +
               std::to_string(threads) + runs + (config.quick ? " --seconds 0" : "");
    };
    all.push_back({overhead_measure, overhead(config.threads)});
    for (unsigned fewer = config.threads / 2; fewer > 0; fewer /= 2)
        all.push_back({overhead_measure + ("/threads_" + std::to_string(fewer)), overhead(fewer)});
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

/// The selected peers, and the programs that could not be built.
struct Known {
    std::vector<Peer> present;
    std::vector<Program> absent;
};

Known known_peers(const Config& config) {
    Known known;
    for (const Program& program : programs()) {
        const auto& only = config.only;
        const bool is_selected = only.empty() || program.name == "refrain" ||
                                 std::find(only.begin(), only.end(), program.name) != only.end();
        if (!is_selected) continue;
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
    // All systems of a round share one peak.
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

void run(Config& config) {
    if (config.quick) {
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
    graphs::write_results(config, results.to_json(config));
}

std::vector<std::string> program_names() {
    std::vector<std::string> names;
    for (const Program& program : programs()) names.push_back(program.name);
    return names;
}

}  // namespace

int main(int argc, char** argv) {
    refrain::cli::CommandLine app(
        "Compares Refrain with other task systems: empty tasks in a three-point stencil of width "
        "4, and "
        "METG(50 %) as in Task Bench.");
    Config config;
    config.patterns = {"stencil_1d"};
    graphs::add_options(app, config);
    try {
        graphs::add_list(app, "--peers", config.only, program_names(),
                         "Systems to compare with; default: all");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "peers: %s\n", error.what());
        return 1;
    }
    return graphs::run_benchmark(app, config, "peers", argc, argv, [&] { run(config); });
}
