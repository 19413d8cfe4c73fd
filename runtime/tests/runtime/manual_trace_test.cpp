#include "runtime/harness.hpp"

#include <thread>

namespace refrain::manual_trace_test {
namespace {

constexpr std::uint64_t id = 7;

/// A stencil over four tiles, back and forth between two regions.
class Stencil {
  public:
    explicit Stencil(Runtime& runtime) : runtime_(runtime) {
        runtime_.fill(a_, 1);
        runtime_.fill(b_, 0);
    }
    void step() {
        sweep(a_, b_);
        sweep(b_, a_);
    }
    static constexpr std::uint64_t operations_per_step = 2;
    [[nodiscard]] std::vector<std::int64_t> values() { return values_of(runtime_, a_); }

  private:
    void sweep(const Region<std::int64_t, 1>& from, const Region<std::int64_t, 1>& to) {
        runtime_.launch(
            "sweep", tiles_.colours(),
            [](View<const std::int64_t, 1> in, View<std::int64_t, 1> out) {
                for (const Point<1>& p : out.domain()) {
                    out[p] = in[p];
                    if (in.contains(p - 1)) out[p] += in[p - 1];
                    if (in.contains(p + 1)) out[p] += in[p + 1];
                    out[p] %= 1'000'003;
                }
            },
            read(from, halos_), write(to, tiles_));
    }

    Runtime& runtime_;
    Region<std::int64_t, 1> a_ = runtime_.create_region<std::int64_t>(extents(16), "a");
    Region<std::int64_t, 1> b_ = runtime_.create_region<std::int64_t>(extents(16), "b");
    Partition<1> tiles_ = tiles(extents(16), 4);
    Partition<1> halos_ = halo(tiles_, 1);
};

std::vector<std::int64_t> untraced(int steps) {
    Runtime runtime(plain());
    Stencil stencil(runtime);
    for (int i = 0; i < steps; ++i) stencil.step();
    return stencil.values();
}

TEST(ManualTraces, record_the_first_execution_and_replay_later_ones) {
    Runtime runtime(plain());
    Stencil stencil(runtime);
    for (int i = 0; i < 50; ++i) {
        runtime.begin_trace(id);
        stencil.step();
        runtime.end_trace(id);
    }
    EXPECT_EQ(stencil.values(), untraced(50));
    const TraceStatistics traces = runtime.statistics().traces;
    EXPECT_EQ(traces.analysed, 2U);  // the fills
    EXPECT_EQ(traces.recorded, Stencil::operations_per_step);
    EXPECT_EQ(traces.replayed, 49 * Stencil::operations_per_step);
    EXPECT_EQ(traces.replays, 49U);
    EXPECT_EQ(traces.recordings, 1U);
    EXPECT_EQ(traces.mismatches, 0U);
    EXPECT_EQ(traces.traces, 1U);
}

TEST(ManualTraces, give_the_dependences_that_analysis_finds) {
    const auto dependences = [](bool traced) {
        Options options = plain(1);
        options.observe.record_graph = true;
        Runtime runtime(options);
        Stencil stencil(runtime);
        for (int i = 0; i < 10; ++i) {
            if (traced) runtime.begin_trace(id);
            stencil.step();
            if (traced) runtime.end_trace(id);
        }
        runtime.wait_all();
        auto found = runtime.dependences();
        const auto key = [](const Dependence& d) {
            return std::tuple(d.target_operation, d.target_point, d.source_operation,
                              d.source_point, d.carries_data);
        };
        std::sort(found.begin(), found.end(),
                  [&](const auto& a, const auto& b) { return key(a) < key(b); });
        std::vector<decltype(key(found[0]))> keys;
        for (const Dependence& d : found) keys.push_back(key(d));
        return keys;
    };
    const auto analysed = dependences(false);
    EXPECT_FALSE(analysed.empty());
    EXPECT_EQ(dependences(true), analysed);
}

TEST(ManualTraces, verify_replayed_operations_on_request) {
    Options options = plain();
    options.checks.verify = 1;
    Runtime runtime(options);
    Stencil stencil(runtime);
    for (int i = 0; i < 50; ++i) {
        runtime.begin_trace(id);
        stencil.step();
        runtime.end_trace(id);
    }
    EXPECT_EQ(stencil.values(), untraced(50));
    const TraceStatistics traces = runtime.statistics().traces;
    EXPECT_EQ(traces.verified, traces.replayed);
    EXPECT_EQ(traces.verify_failures, 0U);
}

/// The regions of a template are numbered by first use, so it replays with other regions as well.
TEST(ManualTraces, replay_with_other_regions) {
    Runtime runtime(plain());
    Stencil first(runtime);
    Stencil second(runtime);
    for (int i = 0; i < 20; ++i) {
        runtime.begin_trace(id);
        (i % 2 == 0 ? first : second).step();
        runtime.end_trace(id);
    }
    EXPECT_EQ(first.values(), untraced(10));
    EXPECT_EQ(second.values(), untraced(10));
    EXPECT_EQ(runtime.statistics().traces.mismatches, 0U);
    EXPECT_EQ(runtime.statistics().traces.replays, 19U);
}

TEST(ManualTraces, may_contain_fills_fences_reductions_futures_and_temporaries) {
    Runtime runtime(plain());
    const auto total = runtime.create_region<std::int64_t>(extents(1), "total");
    runtime.fill(total, 0);
    std::int64_t expected = 0;
    for (std::int64_t i = 0; i < 30; ++i) {
        runtime.begin_trace(id);
        const auto temporary = runtime.create_region<std::int64_t>(extents(12), "temporary");
        const auto pieces = tiles(temporary.bounds(), 3);
        runtime.fill(temporary, pieces, i);
        runtime.fence();
        const auto sum = runtime.launch(
            "sum",
            [](View<const std::int64_t, 1> v) {
                std::int64_t s = 0;
                for (const Point<1>& p : v.domain()) s += v[p];
                return s;
            },
            read(temporary));
        runtime.launch(
            "add", pieces.colours(),
            [](ReduceView<Sum, std::int64_t, 1> t, std::int64_t s) { t.reduce(0, s); },
            reduce<Sum>(total), sum);
        runtime.end_trace(id);
        expected += 3 * 12 * i;
    }
    EXPECT_EQ(values_of(runtime, total)[0], expected);
    const TraceStatistics traces = runtime.statistics().traces;
    EXPECT_EQ(traces.mismatches, 0U) << traces.last_mismatch;
    EXPECT_EQ(traces.replayed, 29U * 4);
}

TEST(ManualTraces, that_do_not_match_are_analysed_counted_and_reported_with_both_operations) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(4), "x");
    runtime.fill(x, 0);
    const auto round = [&](bool other) {
        runtime.begin_trace(id);
        runtime.launch(
            "add one", [](View<int, 1> v) { v[0] += 1; }, read_write(x));
        if (other)
            runtime.launch(
                "add two", [](View<int, 1> v) { v[0] += 2; }, read_write(x));
        else
            runtime.launch(
                "add ten", [](View<int, 1> v) { v[0] += 10; }, read_write(x));
        runtime.launch(
            "add hundred", [](View<int, 1> v) { v[0] += 100; }, read_write(x));
        runtime.end_trace(id);
    };
    round(false);
    round(true);
    EXPECT_EQ(values_of(runtime, x)[0], 111 + 103);
    const TraceStatistics traces = runtime.statistics().traces;
    EXPECT_EQ(traces.mismatches, 1U);
    expect_phrases(traces.last_mismatch, "trace 7, operation 1: recorded 'add ten' (manual_trace_",
                   "launched 'add two' (manual_trace_");
}

/// The differing launches are recorded as a variant; both sequences are replayed from then on.
TEST(ManualTraces, keep_a_variant_for_each_sequence_they_had) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<std::int64_t>(extents(4), "x");
    const auto halves = tiles(x.bounds(), 2);
    runtime.fill(x, 0);
    for (int i = 0; i < 20; ++i) {
        runtime.begin_trace(id);
        runtime.launch(
            "first", [](View<std::int64_t, 1> v) { ++v[0]; }, read_write(x));
        if (i % 2 == 0)
            runtime.launch(
                "all", [](View<std::int64_t, 1> v) { ++v[3]; }, read_write(x));
        else
            runtime.launch(
                "half", [](View<std::int64_t, 1> v) { ++v[3]; },
                read_write(x, halves, Point<1>(1)));
        runtime.launch(
            "last", [](View<std::int64_t, 1> v) { ++v[0]; }, read_write(x));
        runtime.end_trace(id);
    }
    EXPECT_EQ(values_of(runtime, x), (std::vector<std::int64_t>{40, 0, 0, 20}));
    const TraceStatistics traces = runtime.statistics().traces;
    EXPECT_EQ(traces.variants, 2U);
    EXPECT_EQ(traces.mismatches, 1U);
    EXPECT_EQ(traces.recorded, 3U + 2U);  // the second time, only from the difference on
    EXPECT_EQ(traces.replays, 18U);
}

/// Launches one of many different traces under one id.
void one_of_many(Runtime& runtime, const Region<int, 1>& x, std::int64_t way) {
    const auto pieces = tiles(x.bounds(), 64);
    runtime.begin_trace(id);
    for (std::int64_t i = 0; i < 5; ++i)
        runtime.launch(
            "add", [](View<int, 1> v) { ++v[v.domain().lo]; },
            read_write(x, pieces, Point<1>((way + i) % 64)));
    runtime.end_trace(id);
}

TEST(ManualTraces, keep_no_more_variants_than_allowed) {
    Options options = plain();
    options.limits.trace_variants = 3;
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(64), "x");
    runtime.fill(x, 0);
    for (std::int64_t i = 0; i < 640; ++i) one_of_many(runtime, x, i);
    EXPECT_EQ(values_of(runtime, x), std::vector<int>(64, 50));
    const TraceStatistics traces = runtime.statistics().traces;
    EXPECT_EQ(traces.variants, 3U);
    EXPECT_GT(traces.evictions, 600U);
}

TEST(ManualTraces, stay_within_their_bytes_by_evicting_the_least_recently_used) {
    Options options = plain();
    options.limits.trace_bytes = 16 << 10;
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(64), "x");
    runtime.fill(x, 0);
    const auto trace = [&](std::uint64_t name) {
        runtime.begin_trace(name);
        for (int i = 0; i < 10; ++i)
            runtime.launch(
                "add", [](View<int, 1> v) { ++v[0]; }, read_write(x));
        runtime.end_trace(name);
    };
    for (std::uint64_t name = 0; name < 100; ++name) {
        trace(name);
        trace(12345);  // always in use
        EXPECT_LE(runtime.statistics().traces.bytes, options.limits.trace_bytes);
    }
    const TraceStatistics traces = runtime.statistics().traces;
    EXPECT_GT(traces.evictions, 50U);
    EXPECT_EQ(traces.replays, 99U) << "the one in use was evicted";
    EXPECT_EQ(values_of(runtime, x)[0], 2000);
}

TEST(ManualTraces, may_end_early_and_be_longer_later) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(4), "x");
    runtime.fill(x, 0);
    int expected = 0;
    for (const int length : {5, 3, 5, 3, 8, 8, 0, 5}) {
        runtime.begin_trace(id);
        for (int i = 0; i < length; ++i)
            runtime.launch(
                "add", [](View<int, 1> v) { ++v[0]; }, read_write(x));
        runtime.end_trace(id);
        expected += length;
    }
    EXPECT_EQ(values_of(runtime, x)[0], expected);
}

TEST(ManualTraces, may_be_longer_than_the_window) {
    Options options = plain();
    options.window = 16;
    Runtime runtime(options);
    Stencil stencil(runtime);
    for (int i = 0; i < 5; ++i) {
        runtime.begin_trace(id);
        for (int j = 0; j < 40; ++j) stencil.step();
        runtime.end_trace(id);
    }
    EXPECT_EQ(stencil.values(), untraced(200));
    EXPECT_EQ(runtime.statistics().traces.replayed, 4U * 80);
}

TEST(ManualTraces, may_contain_waits_and_host_views) {
    Runtime runtime(plain());
    Stencil stencil(runtime);
    for (int i = 0; i < 10; ++i) {
        runtime.begin_trace(id);
        stencil.step();
        if (i % 3 == 0) static_cast<void>(stencil.values());
        stencil.step();
        if (i % 4 == 0) runtime.wait_all();
        runtime.end_trace(id);
    }
    EXPECT_EQ(stencil.values(), untraced(20));
    EXPECT_EQ(runtime.statistics().traces.mismatches, 0U);
}

/// The host overwrites a region while its trace is recorded, but not when it is replayed. The
/// recording treated the region as unused after that, and the replay did not wait for its writer.
TEST(ManualTraces, do_not_record_writes_of_the_host) {
    Runtime runtime(plain());
    for (const bool host_writes : {true, false}) {
        Gate gate;
        runtime.begin_trace(id);
        const auto x = runtime.create_region<int>(extents(4), "x");
        runtime.launch(
            "write",
            [&gate](View<int, 1> v) {
                gate.pass();
                v[0] = 7;
            },
            write(x));
        gate.await(1);
        if (host_writes) {
            gate.open();
            set_values(runtime, x, std::vector<int>(4, 7));
        }
        const auto seen = runtime.launch(
            "look", [](View<const int, 1> v) { return v[0]; }, read(x));
        if (!host_writes) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        gate.open();
        runtime.end_trace(id);
        EXPECT_EQ(seen.get(), 7);
    }
    EXPECT_EQ(runtime.statistics().traces.replayed, 2U);
}

class ManualTracesBesideAutomaticOnes : public ::testing::TestWithParam<Serving> {};
INSTANTIATE_TEST_SUITE_P(, ManualTracesBesideAutomaticOnes, ::testing::ValuesIn(recognisers),
                         serving_name);

TEST_P(ManualTracesBesideAutomaticOnes, do_not_switch_automatic_traces_off) {
    Runtime runtime(options_for(GetParam()));
    Stencil stencil(runtime);
    for (int i = 0; i < 600; ++i) {
        const bool manual = i >= 200 && i < 400;
        if (manual) runtime.begin_trace(id);
        for (int j = 0; j < 4; ++j) stencil.step();
        if (manual) runtime.end_trace(id);
    }
    EXPECT_EQ(stencil.values(), untraced(2400));
    const Statistics s = runtime.statistics();
    EXPECT_EQ(s.traces.mismatches, 0U) << s.traces.last_mismatch;
    EXPECT_GE(s.traces.replays, 199U);
    EXPECT_GT(s.autotrace.replayed, 2000U);
}

TEST(ManualTraces, that_are_strict_throw_at_the_operation_that_differs) {
    Options options = plain();
    options.checks.strict_traces = true;
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(4), "x");
    runtime.fill(x, 0);
    const auto add = [](View<int, 1> v) { ++v[0]; };
    runtime.begin_trace(id);
    runtime.launch("add", add, read_write(x));
    runtime.launch("add", add, read_write(x));
    runtime.end_trace(id);

    runtime.begin_trace(id);
    runtime.launch("add", add, read_write(x));
    expect_phrases(error_text<TraceMismatch>([&] {
                       runtime.launch(
                           "look", [](View<const int, 1>) {}, read(x));
                   }),
                   "trace 7, operation 1: recorded 'add' (manual_trace_", "launched 'look'");
    runtime.launch("add", add, read_write(x));  // the trace is abandoned, so this is analysed
    runtime.end_trace(id);
    EXPECT_EQ(values_of(runtime, x)[0], 4);
    EXPECT_EQ(runtime.statistics().traces.mismatches, 1U);
}

TEST(ManualTraces, that_are_strict_throw_when_they_end_early) {
    Options options = plain();
    options.checks.strict_traces = true;
    Runtime runtime(options);
    const auto add = [] {};
    for (int length = 2; length > 0; --length) {
        runtime.begin_trace(id);
        for (int i = 0; i < length; ++i) runtime.launch("add", add);
        if (length == 2)
            runtime.end_trace(id);
        else
            expect_phrases(error_text<TraceMismatch>([&] { runtime.end_trace(id); }),
                           "trace 7, operation 1: recorded 'add'", "launched nothing more");
    }
    runtime.begin_trace(id + 1);  // the trace is over: another may begin
    runtime.end_trace(id + 1);
}

/// A refused launch destroys its scalars and its future, and is not counted.
TEST(ManualTraces, that_are_strict_do_not_run_what_differs) {
    Options options = plain();
    options.checks.strict_traces = true;
    Runtime runtime(options);
    const auto owned = std::make_shared<int>(0);
    std::atomic<int> ran{0};
    for (const bool same : {true, false}) {
        runtime.begin_trace(id);
        if (same) {
            runtime.launch("same", [&ran] { ++ran; });
        } else {
            const auto refused = [&] {
                static_cast<void>(runtime.launch("other", [&ran, owned] { return ++ran; }));
            };
            EXPECT_THROW(refused(), TraceMismatch);
        }
        runtime.end_trace(id);
    }
    runtime.wait_all();
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(owned.use_count(), 1);
    const Statistics s = runtime.statistics();
    EXPECT_EQ(s.launches.operations, 1U);
    EXPECT_EQ(s.launches.operations, s.traces.analysed + s.traces.recorded + s.traces.replayed);
}

}  // namespace
}  // namespace refrain::manual_trace_test
