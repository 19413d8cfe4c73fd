#include "runtime/harness.hpp"

#include <thread>
#include <utility>

namespace refrain::automatic_trace_test {
namespace {

/// An iterative solver in the style of array libraries: every step creates new regions.
class Solver {
  public:
    explicit Solver(Runtime& runtime) : runtime_(runtime) { runtime_.fill(x_, 1.0); }

    void step() {
        const auto halved = map("halve", x_, [](double v) { return v / 2; });
        const auto moved = map("move", halved, [](double v) { return v + 1; });
        x_ = map("mix", moved, [](double v) { return v - 0.25 * v; });
    }
    static constexpr std::uint64_t operations_per_step = 3;
    [[nodiscard]] std::vector<double> values() { return values_of(runtime_, x_); }

  private:
    template <class F>
    Region<double, 1> map(const char* name, const Region<double, 1>& from, F f) {
        auto to = runtime_.create_region<double>(from.bounds(), name);
        runtime_.launch(
            name, tiles_.colours(),
            [f](View<const double, 1> in, View<double, 1> out) {
                for (const Point<1>& p : out.domain()) out[p] = f(in[p]);
            },
            read(from, tiles_), write(to, tiles_));
        return to;
    }

    Runtime& runtime_;
    Partition<1> tiles_ = tiles(extents(32), 4);
    Region<double, 1> x_ = runtime_.create_region<double>(extents(32), "x");
};

std::vector<double> untraced(int steps) {
    Runtime runtime(plain());
    Solver solver(runtime);
    for (int i = 0; i < steps; ++i) solver.step();
    return solver.values();
}

TEST(AutomaticTraces, are_on_by_default) {
    EXPECT_TRUE(Options().tracing.automatic);
    Options options;
    options.workers = 2;
    Runtime runtime(options);
    Solver solver(runtime);
    for (int i = 0; i < 4000; ++i) solver.step();
    runtime.wait_all();
    const Statistics s = runtime.statistics();
    EXPECT_TRUE(s.autotrace.enabled);
    EXPECT_GT(s.traces.replayed, 4000U);
}

TEST(AutomaticTraces, give_the_same_results_as_untraced_runs) {
    const auto expected = untraced(1000);
    for (const bool synchronous : {true, false})
        for (const unsigned workers : {1U, 2U, 4U})
            for (const Serving recogniser : recognisers) {
                Options options = options_for(recogniser, workers);
                options.tracing.mining.synchronous = synchronous;
                options.checks.verify = 3;
                Runtime runtime(options);
                Solver solver(runtime);
                for (int i = 0; i < 1000; ++i) solver.step();
                EXPECT_EQ(solver.values(), expected) << name_of(recogniser) << workers;
                EXPECT_EQ(runtime.statistics().traces.verify_failures, 0U);
                EXPECT_GT(runtime.statistics().traces.verified, 500U);
            }
}

/// The replayed share of a loop after warm-up, and the counters then.
std::pair<double, Statistics> run_loop(const Options& options) {
    Runtime runtime(options);
    Solver solver(runtime);
    constexpr int warm_up = 1000;
    constexpr int measured = 5000;
    for (int i = 0; i < warm_up; ++i) solver.step();
    runtime.wait_all();
    const std::uint64_t before = runtime.statistics().traces.replayed;
    for (int i = 0; i < measured; ++i) solver.step();
    runtime.wait_all();
    const Statistics s = runtime.statistics();
    return {static_cast<double>(s.traces.replayed - before) /
                (measured * static_cast<double>(Solver::operations_per_step)),
            s};
}

/// Region names are recycled, so by name a loop repeats every second step.
TEST(AutomaticTraces, cover_99_per_cent_of_a_simple_loop_with_the_mined_recogniser) {
    const auto [share, s] = run_loop(mined());
    EXPECT_GE(share, 0.99);
    EXPECT_GT(s.autotrace.first_replay, 0U);
    EXPECT_LT(s.autotrace.first_replay, 600U);
    EXPECT_GE(s.autotrace.traces, 1U);
    EXPECT_LE(s.autotrace.traces, 10U);
    EXPECT_EQ(s.traces.mismatches, 0U) << s.traces.last_mismatch;
}

/// By last use the loop repeats in every step, without warm-up.
TEST(AutomaticTraces, cover_all_of_a_simple_loop_with_the_inline_recogniser) {
    const auto [share, s] = run_loop(automatic());
    EXPECT_EQ(share, 1);
    EXPECT_LE(s.traces.analysed + s.traces.recorded, 8 * Solver::operations_per_step);
    EXPECT_EQ(s.traces.mismatches, 0U) << s.traces.last_mismatch;
}

class SameDecisions : public ::testing::TestWithParam<Serving> {};
INSTANTIATE_TEST_SUITE_P(, SameDecisions, ::testing::ValuesIn(recognisers), serving_name);

TEST_P(SameDecisions, are_made_in_repeated_runs) {
    const auto curve = [] {
        Runtime runtime(options_for(GetParam(), 4));
        Solver solver(runtime);
        for (int i = 0; i < 2000; ++i) solver.step();
        runtime.wait_all();
        std::vector<std::pair<std::uint64_t, std::uint64_t>> points;
        for (const ProgressSample& sample : runtime.statistics().progress)
            points.emplace_back(sample.operations, sample.replayed);
        return points;
    };
    const auto first = curve();
    EXPECT_GT(first.size(), 10U);
    EXPECT_EQ(curve(), first);
}

TEST(AutomaticTraces, can_be_switched_off) {
    Runtime runtime(plain());
    Solver solver(runtime);
    for (int i = 0; i < 1000; ++i) solver.step();
    runtime.wait_all();
    const Statistics s = runtime.statistics();
    EXPECT_FALSE(s.autotrace.enabled);
    EXPECT_EQ(s.traces.replayed + s.traces.recorded, 0U);
    EXPECT_EQ(s.traces.analysed, s.launches.operations);
}

class EitherRecogniser : public ::testing::TestWithParam<Serving> {};
INSTANTIATE_TEST_SUITE_P(, EitherRecogniser, ::testing::ValuesIn(recognisers), serving_name);

/// Operations are held back because they may become part of a trace; a program that waits for them
/// must get them at once.
TEST_P(EitherRecogniser, issues_held_back_operations_when_the_program_waits) {
    Runtime runtime(options_for(GetParam()));
    Solver solver(runtime);
    for (int i = 0; i < 500; ++i) solver.step();
    runtime.wait_all();
    EXPECT_GT(runtime.statistics().autotrace.replayed, 0U);
    const auto sum = runtime.create_region<std::int64_t>(extents(1), "sum");
    runtime.fill(sum, 0);
    const auto add = [](View<std::int64_t, 1> v) { return v[0] += 1; };
    for (std::int64_t i = 1; i <= 300; ++i) {
        for (int j = 0; j < 7; ++j) solver.step();
        const auto value = runtime.launch("add", add, read_write(sum));
        if (i % 3 == 0) {
            EXPECT_EQ(value.get(), i);
        } else if (i % 3 == 1) {
            EXPECT_EQ(values_of(runtime, sum)[0], i);
        } else {
            ASSERT_TRUE(comes_true([&] { return value.ready(); }));
        }
    }
    EXPECT_EQ(solver.values(), untraced(500 + 2100));
}

TEST_P(EitherRecogniser, handles_fences_futures_and_failures) {
    Runtime runtime(options_for(GetParam()));
    const auto x = runtime.create_region<std::int64_t>(extents(8), "x");
    const auto each = tiles(x.bounds(), 8);
    runtime.fill(x, 0);
    for (int i = 0; i < 600; ++i) {
        const auto one = runtime.launch("one", [] { return 1; });
        runtime.launch(
            "add", each.colours(), [](Point<1> p, View<std::int64_t, 1> v, int n) { v[p] += n; },
            read_write(x, each), one);
        runtime.fence();
        runtime.launch(
            "add", [](View<std::int64_t, 1> v) { ++v[3]; }, read_write(x));
        if (i % 200 == 199) {
            runtime.launch(
                "break", [](View<std::int64_t, 1>) { throw std::runtime_error("now"); },
                read_write(x));
            runtime.launch(
                "add", [](View<std::int64_t, 1> v) { ++v[3]; }, read_write(x));
            EXPECT_THROW(runtime.wait_all(), TaskError);
            runtime.fill(x, 0);
        }
    }
    for (int i = 0; i < 5; ++i)
        runtime.launch(
            "add", [](View<std::int64_t, 1> v) { ++v[3]; }, read_write(x));
    EXPECT_EQ(values_of(runtime, x), (std::vector<std::int64_t>{0, 0, 0, 5, 0, 0, 0, 0}));
    EXPECT_GT(runtime.statistics().traces.replayed, 1000U);
}

/// Colliding tokens make the tracer propose wrong traces; comparison rejects them.
TEST_P(EitherRecogniser, tolerates_token_collisions) {
    Options options = options_for(GetParam());
    options.checks.token_bits = 1;
    Runtime runtime(options);
    Solver solver(runtime);
    for (int i = 0; i < 1000; ++i) solver.step();
    EXPECT_EQ(solver.values(), untraced(1000));
    const Statistics s = runtime.statistics();
    EXPECT_EQ(s.launches.operations, s.traces.analysed + s.traces.recorded + s.traces.replayed);
}

TEST(MinedTraces, keep_to_the_configured_lengths) {
    Options options = mined();
    options.tracing.min_length = 4;
    options.tracing.max_length = 8;
    Runtime runtime(options);
    Solver solver(runtime);
    for (int i = 0; i < 2000; ++i) solver.step();
    runtime.wait_all();
    const TraceStatistics traces = runtime.statistics().traces;
    ASSERT_GT(traces.replays, 0U);
    const double mean = static_cast<double>(traces.replayed) / static_cast<double>(traces.replays);
    EXPECT_GE(mean, 4);
    EXPECT_LE(mean, 8);
}

TEST(MinedTraces, do_not_exist_for_a_program_that_never_repeats) {
    Runtime runtime(mined());
    std::vector<Region<int, 1>> regions;
    for (int i = 0; i < 2000; ++i) {
        regions.push_back(runtime.create_region<int>(extents(2), "another"));
        runtime.fill(regions.back(), i);
    }
    runtime.wait_all();
    const Statistics s = runtime.statistics();
    EXPECT_EQ(s.autotrace.traces, 0U);
    EXPECT_EQ(s.autotrace.first_replay, 0U);
    EXPECT_EQ(s.traces.analysed, 2000U);
    EXPECT_EQ(values_of(runtime, regions[1234])[0], 1234);
}

TEST_P(EitherRecogniser, follows_a_program_into_its_next_phase) {
    Runtime runtime(options_for(GetParam()));
    Solver solver(runtime);
    const auto y = runtime.create_region<int>(extents(4), "y");
    runtime.fill(y, 0);
    for (int phase = 0; phase < 4; ++phase) {
        for (int i = 0; i < 1000; ++i) {
            if (phase % 2 == 0)
                solver.step();
            else
                for (const char* name : {"left", "right", "left", "up", "down"})
                    runtime.launch(
                        name, [](View<int, 1> v) { ++v[0]; }, read_write(y));
        }
        runtime.wait_all();
        const Statistics s = runtime.statistics();
        EXPECT_GT(static_cast<double>(s.traces.replayed),
                  0.6 * static_cast<double>(s.launches.operations))
            << phase;
    }
    EXPECT_EQ(solver.values(), untraced(2000));
    EXPECT_EQ(values_of(runtime, y)[0], 10'000);
}

TEST(MinedTraces, work_with_long_histories) {
    Options options = mined();
    options.tracing.history = 1 << 20;
    options.tracing.max_length = 1 << 16;
    Runtime runtime(options);
    runtime.launch("nothing", [] {});
    runtime.wait_all();
}

/// With mining-delay 0, results are taken at once, however long the slices are.
TEST(MinedTraces, take_results_after_the_configured_delay) {
    const auto first_replay = [](std::uint64_t delay) {
        Options options = mined();
        options.tracing.mining.synchronous = false;
        options.tracing.mining.delay = delay;
        Runtime runtime(options);
        Solver solver(runtime);
        for (int i = 0; i < 1000; ++i) solver.step();
        runtime.wait_all();
        return runtime.statistics().autotrace.first_replay;
    };
    const std::uint64_t at_once = first_replay(0);
    EXPECT_EQ(first_replay(0), at_once);
    EXPECT_GE(first_replay(500), at_once + 400);
}

}  // namespace
}  // namespace refrain::automatic_trace_test
