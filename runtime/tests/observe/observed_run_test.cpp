/// A run that is observed is the run that it would be without: the same stages serve the same
/// operations in the same way.
#include "observe/programs.hpp"

#include <ostream>
#include <string>
#include <tuple>

namespace refrain::observed_run_test {
namespace {

/// What a run is asked to show of itself.
enum class Shown : std::uint8_t { report, timeline, explain, log_stream, all };

const char* name_of(Shown shown) {
    static constexpr const char* names[] = {"report", "timeline", "explain", "log_stream", "all"};
    return names[static_cast<std::size_t>(shown)];
}

void PrintTo(Shown shown, std::ostream* out) {
    *out << name_of(shown);
}

/// Single tasks and index launches in a loop, until it is folded and compiled; then with a launch, a
/// wait, a fence or a trace of the program's own in between.
Statistics run(const Options& options) {
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(8), "x");
    const auto y = runtime.create_region<int>(extents(8), "y");
    const Partition<1> parts = tiles(extents(8), 4);
    const auto add = [](View<int, 1> to, View<const int, 1> from) {
        for (const Point<1>& point : to.domain()) to[point] = (to[point] + from[point]) % 1009;
    };
    const auto turn = [&] {
        for (std::int64_t i = 0; i < 4; ++i)
            runtime.launch("one", add, read_write(x, parts, Point<1>(i)),
                           read(y, parts, Point<1>(i)));
        runtime.launch("all", parts.colours(), add, read_write(y, parts), read(x, parts));
    };
    runtime.fill(x, 1);
    runtime.fill(y, 2);
    for (int i = 0; i < 100; ++i) turn();
    for (int i = 0; i < 100; ++i) {
        turn();
        if (i % 11 == 3) runtime.launch("now and then", [] {});
        if (i % 20 == 7) runtime.wait_all();
        if (i % 30 == 9) {
            runtime.begin_trace(1);
            turn();
            runtime.end_trace(1);
        }
        if (i == 70) runtime.fence();
    }
    for (int i = 0; i < 100; ++i) turn();
    runtime.wait_all();
    return runtime.statistics();
}

/// Without the line about batches: when one is published, and so how often the program waits for the
/// window, depends on what tasks are measured to cost.
std::string untimed(const Statistics& statistics) {
    std::string text = statistics.to_string();
    const std::size_t begin = text.find("  batches ");
    if (begin != std::string::npos) text.erase(begin, text.find('\n', begin) + 1 - begin);
    return text;
}

void expect_same_run(const Statistics& a, const Statistics& b) {
    EXPECT_EQ(untimed(a), untimed(b));
    EXPECT_EQ(a.launches.batched_tasks, b.launches.batched_tasks);
    EXPECT_EQ(a.analysis.hops, b.analysis.hops);
    EXPECT_EQ(a.analysis.walk_steps, b.analysis.walk_steps);
    EXPECT_EQ(a.analysis.bytes, b.analysis.bytes);
    EXPECT_EQ(a.traces.analysed, b.traces.analysed);
    EXPECT_EQ(a.traces.recorded, b.traces.recorded);
    EXPECT_EQ(a.traces.replayed, b.traces.replayed);
    EXPECT_EQ(a.traces.walked_in_replay, b.traces.walked_in_replay);
    EXPECT_EQ(a.traces.bytes, b.traces.bytes);
    EXPECT_EQ(a.autotrace.first_replay, b.autotrace.first_replay);
    EXPECT_EQ(a.autotrace.examined, b.autotrace.examined);
    EXPECT_EQ(a.autotrace.predicted, b.autotrace.predicted);
    EXPECT_EQ(a.autotrace.compiled, b.autotrace.compiled);
    EXPECT_EQ(a.autotrace.compiled_bytes, b.autotrace.compiled_bytes);
    EXPECT_EQ(a.autotrace.memo_bytes, b.autotrace.memo_bytes);
    EXPECT_EQ(a.autotrace.bytes, b.autotrace.bytes);
    ASSERT_EQ(a.progress.size(), b.progress.size());
    for (std::size_t i = 0; i < a.progress.size(); ++i) {
        EXPECT_EQ(a.progress[i].operations, b.progress[i].operations);
        EXPECT_EQ(a.progress[i].replayed, b.progress[i].replayed);
    }
}

class ObservedRun : public testing::TestWithParam<std::tuple<Shown, Serving>> {
  protected:
    [[nodiscard]] static Options unobserved() {
        Options options = options_for(std::get<Serving>(GetParam()), 1);
        options.window = 16;
        options.batching = Batching::all;  // the other kinds depend on measured times
        return options;
    }
    [[nodiscard]] Options observed() const {
        Options options = unobserved();
        const Shown shown = std::get<Shown>(GetParam());
        const auto wants = [&](Shown what) { return shown == what || shown == Shown::all; };
        if (wants(Shown::report)) options.observe.report = page_.path();
        if (wants(Shown::timeline)) options.observe.timeline = timeline_.path();
        if (wants(Shown::log_stream)) options.observe.log_stream = stream_.path();
        options.observe.explain = wants(Shown::explain);
        return options;
    }

  private:
    TemporaryFile page_{"html"}, timeline_{"json"}, stream_{"stream"};
};
INSTANTIATE_TEST_SUITE_P(, ObservedRun,
                         testing::Combine(testing::Values(Shown::report, Shown::timeline,
                                                          Shown::explain, Shown::log_stream,
                                                          Shown::all),
                                          every_serving),
                         [](const auto& test) {
                             return std::string(name_of(std::get<Shown>(test.param))) + "_" +
                                    name_of(std::get<Serving>(test.param));
                         });

TEST_P(ObservedRun, has_the_same_statistics) {
    const Statistics statistics = run(unobserved());
    if (std::get<Serving>(GetParam()) == Serving::looking_back) {
        EXPECT_GT(statistics.autotrace.compiled, 500U);
        EXPECT_GT(statistics.launches.batched_tasks, 500U);
    }
    expect_same_run(statistics, run(observed()));
}

/// Of one worker, so that nothing depends on time.
TEST_P(ObservedRun, runs_as_many_launches_inside_of_their_calls_and_in_rows) {
    const auto direct = [](Options options) {
        options.batching = Batching::none;
        options.lanes = LaneUse::all;
        return run(options);
    };
    const Statistics statistics = direct(unobserved());
    const Statistics seen = direct(observed());
    if (std::get<Serving>(GetParam()) == Serving::looking_back) {
        EXPECT_GT(statistics.launches.direct, 500U);
        EXPECT_GT(statistics.launches.in_rows, 100U);
        EXPECT_NE(statistics.to_string().find("  rows "), std::string::npos);
    }
    if (observed().observe.log_stream.empty())
        expect_same_run(statistics, seen);
    else
        EXPECT_EQ(seen.launches.direct, 0U) << "each has a line in the stream";
}

}  // namespace
}  // namespace refrain::observed_run_test
