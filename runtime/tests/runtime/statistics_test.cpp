#include "runtime/harness.hpp"

#include <numeric>

namespace refrain::statistics_test {
namespace {

/// 300 rounds of an index launch over six points, a single task and a fence, some of them in
/// manual traces.
Statistics of_a_run(Options options) {
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(12), "x");
    const auto pieces = tiles(x.bounds(), 6);
    runtime.fill(x, 0);
    for (int i = 0; i < 300; ++i) {
        const bool traced = i % 3 == 0;
        if (traced) runtime.begin_trace(1);
        runtime.launch(
            "add", pieces.colours(), [](View<int, 1> v) { ++v[v.domain().lo]; },
            read_write(x, pieces));
        static_cast<void>(runtime.launch(
            "look", [](View<const int, 1> v) { return v[0]; }, read(x)));
        runtime.fence();
        if (traced) runtime.end_trace(1);
    }
    runtime.wait_all();
    return runtime.statistics();
}

constexpr std::uint64_t operations = 1 + 3 * 300;
constexpr std::uint64_t tasks = 1 + 8 * 300;

TEST(StatisticsOfARun, count_every_operation_as_exactly_one_of_analysed_recorded_replayed) {
    for (const Options& options : {plain(), automatic(), automatic(1), mined(), mined(1)}) {
        const Statistics s = of_a_run(options);
        EXPECT_EQ(s.launches.operations, operations);
        EXPECT_EQ(s.traces.analysed + s.traces.recorded + s.traces.replayed, operations);
        EXPECT_GT(s.traces.replayed, 200U);
    }
}

TEST(StatisticsOfARun, count_every_task_once_at_launch_and_once_at_the_worker_that_ran_it) {
    const Statistics s = of_a_run(plain(3));
    EXPECT_EQ(s.launches.tasks, tasks);
    ASSERT_EQ(s.workers.size(), 3U);
    std::uint64_t ran = 0;
    for (const WorkerStatistics& worker : s.workers) ran += worker.tasks;
    EXPECT_EQ(ran, tasks);
}

TEST(StatisticsOfARun, divide_time_between_analysis_recording_and_replay) {
    Options options = plain();
    options.observe.time_phases = true;
    const Statistics s = of_a_run(options);
    EXPECT_EQ(s.analysing.tasks + s.recording.tasks + s.replaying.tasks, tasks);
    EXPECT_EQ(s.recording.tasks, 8U);
    for (const PhaseStatistics& phase : {s.analysing, s.recording, s.replaying})
        EXPECT_GT(phase.seconds, 0);
    const Statistics untimed = of_a_run(plain());
    EXPECT_EQ(untimed.replaying.seconds, 0);
}

TEST(StatisticsOfARun, sample_progress_evenly) {
    Runtime runtime(plain());
    for (int i = 0; i < 100'000; ++i) runtime.launch("nothing", [] {});
    runtime.wait_all();
    const auto progress = runtime.statistics().progress;
    ASSERT_GT(progress.size(), 1000U);
    ASSERT_LE(progress.size(), 4096U);
    const std::uint64_t step = progress[1].operations - progress[0].operations;
    for (std::size_t i = 1; i < progress.size(); ++i) {
        EXPECT_EQ(progress[i].operations - progress[i - 1].operations, step) << i;
        EXPECT_GE(progress[i].seconds, progress[i - 1].seconds) << i;
    }
    EXPECT_GT(progress.front().seconds, 0);
}

TEST(StatisticsOfARun, count_regions_and_futures) {
    const Statistics s = of_a_run(plain());
    EXPECT_EQ(s.launches.regions, 1U);
    EXPECT_EQ(s.launches.futures, 300U);
    EXPECT_EQ(s.storage.bytes_peak, 64U);
}

TEST(StatisticsOfARun, print_readable_text) {
    const std::string text = of_a_run(automatic()).to_string();
    expect_phrases(text, "901 operations, 2401 tasks", "analysis", "traces", "autotrace",
                   "worker 1", "storage");
}

TEST(StatisticsOfARun, are_printed_at_the_end_on_request) {
    Options options = plain();
    options.observe.report_statistics = true;
    ::testing::internal::CaptureStderr();
    static_cast<void>(of_a_run(options));
    expect_phrases(::testing::internal::GetCapturedStderr(), "refrain: 901 operations");
}

TEST(StatisticsOfARun, are_separate_from_the_optional_graph) {
    Options options = plain();
    options.observe.record_graph = true;
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(4), "x");
    const auto halves = tiles(x.bounds(), 2);
    runtime.fill(x, halves, 0);  // op1
    runtime.launch(
        "right", [](View<int, 1>) {}, read_write(x, halves, Point<1>(1)));  // op2
    runtime.launch(
        "all", [](View<const int, 1>) {}, read(x));  // op3
    runtime.launch(
        "left", [](View<int, 1>) {}, write(x, halves, Point<1>(0)));  // op4
    using Edge = std::array<std::uint64_t, 5>;
    std::vector<Edge> edges;
    for (const Dependence& d : runtime.dependences())
        edges.push_back({d.source_operation, d.source_point, d.target_operation, d.target_point,
                         d.carries_data ? 1U : 0U});
    std::sort(edges.begin(), edges.end());
    EXPECT_EQ(edges, (std::vector<Edge>{
                         {1, 0, 3, 0, 1}, {1, 1, 2, 0, 1}, {2, 0, 3, 0, 1}, {3, 0, 4, 0, 0}}));
    Runtime without(plain());
    without.fill(without.create_region<int>(extents(4), "x"), 0);
    EXPECT_TRUE(without.dependences().empty());
}

/// Options reach the runtime through the program's arguments.
TEST(RuntimeOptions, come_from_the_arguments_of_the_program) {
    std::vector<std::string> texts{"program", "--refrain:workers=3", "own",
                                   "--refrain:auto-trace=off", "--refrain:window=100"};
    std::vector<char*> arguments;
    for (std::string& text : texts) arguments.push_back(text.data());
    arguments.push_back(nullptr);
    int count = 5;
    Runtime runtime(count, arguments.data());
    EXPECT_EQ(count, 2);
    EXPECT_STREQ(arguments[1], "own");
    EXPECT_EQ(runtime.worker_count(), 3U);
    EXPECT_EQ(runtime.options().workers, 3U);
    EXPECT_EQ(runtime.options().window, 128U);
    EXPECT_FALSE(runtime.statistics().autotrace.enabled);
    EXPECT_EQ(runtime.statistics().workers.size(), 3U);
}

TEST(RuntimeOptions, default_to_one_worker_per_core) {
    Options options;
    options.workers = 0;
    const Runtime runtime(options);
    EXPECT_EQ(runtime.worker_count(), options.worker_count());
    EXPECT_GE(runtime.worker_count(), 1U);
}

TEST(RuntimeOptions, that_are_invalid_are_refused_by_the_constructor) {
    Options options;
    options.tracing.min_length = 100;
    options.tracing.max_length = 10;
    expect_phrases(error_text([&] { Runtime{options}; }), "trace-min-length = 100",
                   "trace-max-length = 10");
}

TEST(RuntimeOptions, work_with_the_smallest_window) {
    for (const unsigned workers : {1U, 3U}) {
        Options options = plain(workers);
        options.window = 2;
        Runtime runtime(options);
        const auto x = runtime.create_region<int>(extents(4), "x");
        const auto each = tiles(x.bounds(), 4);
        runtime.fill(x, 0);
        for (int i = 0; i < 300; ++i)
            runtime.launch(
                "add", each.colours(), [](Point<1> p, View<int, 1> v) { ++v[p]; },
                read_write(x, each));
        EXPECT_EQ(values_of(runtime, x), std::vector<int>(4, 300));
    }
}

}  // namespace
}  // namespace refrain::statistics_test
