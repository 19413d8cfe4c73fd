/// Measures the cost of a task: empty tasks in a three-point stencil of width 4, on two threads.
///
/// Every round measures everything once, so that ratios are taken under equal conditions; the
/// report gives medians. The distance between the two cores is measured before and after, since
/// virtual machines move between cores.

#include "cli/command_line.hpp"

#include <cstdio>
#include <exception>

#include "common/pingpong.hpp"
#include "overhead/report.hpp"
#include "overhead/static_graphs.hpp"
#include "overhead/streams.hpp"

namespace {

using namespace overhead;

void measure_round(const Config& config, Report& report) {
    report.add("pingpong_before_ns", pingpong_ns());
    if (const auto tbb = tbb_static(config)) report.add("tbb_static_ns", *tbb);
    report.add("static_graph_ns", refrain_static(config));
    const Cost analysed = index_launches(config, Tracing::none);
    report.add("analyse_ns", analysed);
    report.add("single_ns", single_launches(config, Tracing::none));
    report.add("analyse_walk_ns", index_launches(config, Tracing::walks));
    report.add("single_walk_ns", single_launches(config, Tracing::walks));
    report.add("single_auto_ns", single_launches(config, Tracing::automatic));
    report.add("record_ns", index_launches(config, Tracing::recorded));
    report.add("replay_ns", index_launches(config, Tracing::replayed));
    report.add("auto_ns", index_launches(config, Tracing::automatic));
    // With one worker the launching thread does all work, so differences are its own. What
    // automatic tracing adds to a launch is what the same program takes with it less what it takes
    // untraced: below zero where it repeats.
    const Cost untraced = index_launches(config, Tracing::none, 1);
    const Cost automatic = index_launches(config, Tracing::automatic, 1);
    report.add("analyse_one_worker_ns", untraced);
    report.add("replay_one_worker_ns", index_launches(config, Tracing::replayed, 1));
    report.add("auto_one_worker_ns", automatic);
    report.add("single_auto_one_worker_ns", single_launches(config, Tracing::automatic, 1));
    report.add("autotrace_launch_ns", width * (automatic.wall_ns - untraced.wall_ns));
    // The recogniser examines each operation at first, and few after 2^16 without a repeat.
    const auto norepeat = [&](int warm_up) {
        return random_launches(config, Tracing::automatic, warm_up).wall_ns /
               random_launches(config, Tracing::none, warm_up).wall_ns;
    };
    report.add("norepeat_start_ratio", norepeat(config.steps / 4));
    report.add("norepeat_ratio", norepeat(config.quick ? config.steps : 100'000));
    report.add("long_loop_ratio", long_loop_ratio(config));
    report.add("beyond_launch_ns", beyond_launch_ns(config));
    report.add("dynamic_launch", dynamic_launch_ns(config));
    report.add("region_thrice", region_thrice_ratio(config));
    report.add("body_1us", body_share(config, 1000));
    report.add("body_1us_by_hand", body_share_by_hand(config, 1000));
    report.add("body_10us", body_share(config, 10'000));
    report.add("body_10us_by_hand", body_share_by_hand(config, 10'000));
    report.add("sleeping", sleeping_ratio(config));
    report.add("mine_1m_s", mine_seconds());
    report.add("pingpong_after_ns", pingpong_ns());
}

int run(Config config) {
    if (config.quick) {
        config.rounds = 1;
        config.steps = 2'000;
        config.static_runs = 2;
    }
    Report report;
    for (int round = 0; round < config.rounds; ++round) {
        std::fprintf(stderr, "\rround %d of %d ", round + 1, config.rounds);
        measure_round(config, report);
    }
    report.add("steady_mallocs",
               static_cast<double>(allocations_in_replay(config.quick ? 10'000 : 1'000'000)));
    report.add(
        "dynamic_mallocs",
        static_cast<double>(allocations_in_dynamic_launches(config.quick ? 10'000 : 1'000'000)));
    std::fprintf(stderr, "\n");
    report.print(config);
    report.write_json(config);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    refrain::cli::CommandLine app(
        "Measures the cost of a task: empty tasks in a one-dimensional three-point stencil of "
        "width 4, on "
        "two threads.");
    Config config;
    app.add_option("--rounds", config.rounds, "Measurements of everything; medians are reported")
        .between(1, 1000)
        .show_default();
    app.add_option("--steps", config.steps, "Steps launched per measurement")
        .between(1000, 100'000'000)
        .show_default();
    app.add_option("--json", config.json, "Also write the results to this file");
    app.add_flag("--quick", config.quick, "One short round that only tests the benchmark");
    if (!app.parse(argc, argv)) return app.exit_status();
    try {
        return run(config);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "\noverhead: %s\n", error.what());
        return 1;
    }
}
