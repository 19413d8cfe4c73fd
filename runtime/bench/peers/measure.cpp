/// Measures the task system that this program is linked with: one way to use it, one graph. Prints
/// one line of JSON to standard output. bench_peers runs each such program in a process of its own,
/// so that systems do not disturb one another.

#include "cli/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "common/stopwatch.hpp"
#include "graphs/sweep.hpp"
#include "graphs/system.hpp"

namespace {

using namespace graphs;

struct Request {
    std::string way;
    std::string what = "overhead";
    std::string pattern = "stencil_1d";
    Shape shape;
    double seconds = 0.2;
    double peak_flops = 0;  // 0: measured
    SweepConfig sweep;
};

nlohmann::json list_ways() {
    nlohmann::json list = nlohmann::json::array();
    for (const Way& way : ways())
        list.push_back({{"way", way.name},
                        {"user_writes", way.user_writes},
                        {"graph_by_hand", way.graph_by_hand}});
    return list;
}

/// The cost of an empty task. A validated run comes first.
nlohmann::json overhead(System& system, const TaskGraph& graph, const Request& request) {
    Ledger ledger;
    system.run({&graph, 0, &ledger});
    ledger.verify(graph);
    const Work empty{&graph, 0, nullptr};
    for (int i = 0; i < request.sweep.warm_up_runs; ++i) system.run(empty);
    (void)system.traced_share();
    double tasks = 0;
    const bench::Stopwatch watch;
    do {
        system.run(empty);
        tasks += static_cast<double>(graph.task_count());
    } while (watch.wall_seconds() < request.seconds);
    const bench::Cost cost = watch.per(tasks);
    nlohmann::json out = {{"wall_ns", cost.wall_ns}, {"cpu_ns", cost.cpu_ns}};
    if (const auto share = system.traced_share()) out["traced_share"] = *share;
    return out;
}

/// Runs a graph twice and validates both runs.
std::int64_t check(const std::string& way, const TaskGraph& graph, unsigned threads) {
    const auto system = make_system(way, graph, threads);
    Ledger ledger;
    for (int run = 0; run < 2; ++run) {
        system->run({&graph, run, &ledger});
        ledger.verify(graph);
    }
    return 2 * graph.task_count();
}

/// Checks each way on every pattern in several widths.
nlohmann::json check_all(const Request& request) {
    std::int64_t tasks = 0;
    for (const Way& way : ways())
        for (const Pattern pattern : all_patterns())
            for (const int width : {1, 2, 5, 8}) {
                const Shape shape{pattern, width, request.shape.steps, request.shape.radix};
                tasks += check(way.name, TaskGraph(shape), request.sweep.threads);
            }
    return {{"validated_tasks", tasks}};
}

nlohmann::json measure(Request& request) {
    if (request.sweep.threads == 0)
        request.sweep.threads = std::max(1U, std::thread::hardware_concurrency());
    if (request.what == "ways") return list_ways();
    if (request.what == "check") return check_all(request);
    request.shape.pattern = pattern_named(request.pattern).value();
    const TaskGraph graph(request.shape);
    const auto system = make_system(request.way, graph, request.sweep.threads);
    if (request.what == "overhead") return overhead(*system, graph, request);
    request.sweep.seconds = request.seconds;
    if (request.peak_flops > 0)
        request.sweep.peak = [&request](unsigned) { return request.peak_flops; };
    return to_json(sweep(*system, graph, request.sweep));
}

void add_options(refrain::cli::CommandLine& app, Request& request) {
    std::vector<std::string> patterns;
    for (const Pattern pattern : all_patterns()) patterns.emplace_back(name_of(pattern));
    app.add_option("--way", request.way, "Way to use the system");
    app.add_option("--what", request.what,
                   "overhead, metg; check: all ways and patterns; ways: lists them")
        .one_of({"overhead", "metg", "check", "ways"})
        .show_default();
    app.add_option("--pattern", request.pattern, "Dependence pattern")
        .one_of(patterns)
        .show_default();
    app.add_option("--width", request.shape.width, "Columns").between(1, 100'000);
    app.add_option("--steps", request.shape.steps, "Steps").between(1, 1'000'000);
    app.add_option("--radix", request.shape.radix, "Dependences of nearest and spread")
        .between(1, 1024);
    app.add_option("--threads", request.sweep.threads, "Threads; 0: one per core").between(0, 1024);
    app.add_option("--peak-flops", request.peak_flops, "Rate of the kernel alone; 0: measured")
        .between(0, 1e15);
    app.add_option("--seconds", request.seconds,
                   "Least measured time, for empty tasks and for each task size")
        .between(0.0, 100.0);
    app.add_option("--runs", request.sweep.runs, "Least number of runs per task size")
        .between(1, 1000);
    app.add_option("--ratio", request.sweep.ratio, "Ratio of one task size to the one before")
        .between(0.1, 0.95);
    app.add_option("--largest-ns", request.sweep.largest_ns, "First task size").between(1.0, 1e6);
    app.add_option("--warm-up-runs", request.sweep.warm_up_runs,
                   "Runs before the first measurement")
        .between(0, 1'000'000);
    app.add_flag("!--not-upwards", request.sweep.upwards,
                 "Try no tasks larger than the first size");
}

}  // namespace

int main(int argc, char** argv) {
    refrain::cli::CommandLine app("Measures one task system; bench_peers runs this.");
    Request request;
    add_options(app, request);
    if (!app.parse(argc, argv)) return app.exit_status();
    try {
        std::cout << measure(request) << "\n";
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
