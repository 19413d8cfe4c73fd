#include "runtime/harness.hpp"

#include <algorithm>
#include <malloc.h>

namespace refrain::analysis_budget_test {
namespace {

constexpr std::int64_t n = 256;

/// Adds one to each of two elements at any distance: a new shape each time.
void add_to_two(Runtime& runtime, const Region<std::int64_t, 1>& x, std::int64_t i) {
    const std::int64_t a = i % n;
    const std::int64_t b = (i / n + a + 1) % n;
    const auto two =
        subsets(x.bounds(), extents(1), {IndexSpace<1>{Rect<1>{a, a + 1}, Rect<1>{b, b + 1}}});
    runtime.launch(
        "add", extents(1),
        [](View<std::int64_t, 1> v) {
            for (const Point<1>& p : v.points()) ++v[p];
        },
        read_write(x, two));
}

struct Outcome {
    std::vector<std::int64_t> values;
    Statistics statistics;
    std::size_t bytes_max = 0;
};

/// Ever new shapes, between launches that repeat.
Outcome run(const Options& options, std::int64_t launches) {
    Runtime runtime(options);
    Outcome outcome;
    const auto x = runtime.create_region<std::int64_t>(extents(n), "x");
    const auto pieces = tiles(x.bounds(), 8);
    runtime.fill(x, 0);
    for (std::int64_t i = 0; i < launches; ++i) {
        add_to_two(runtime, x, i);
        for (int step = 0; step < 2; ++step)
            runtime.launch(
                "double", pieces.colours(),
                [](View<std::int64_t, 1> v) {
                    for (const Point<1>& p : v.domain()) v[p] = (2 * v[p]) % 1'000'003;
                },
                read_write(x, pieces));
        outcome.bytes_max = std::max(outcome.bytes_max, runtime.statistics().analysis.bytes);
    }
    outcome.values = values_of(runtime, x);
    outcome.statistics = runtime.statistics();
    return outcome;
}

Options with_budget(Options options, std::uint64_t bytes) {
    options.limits.analysis_bytes = bytes;
    return options;
}

TEST(AnalysisBudget, is_kept_by_forgetting_everything_learned) {
    constexpr std::uint64_t budget = std::uint64_t{1} << 20;
    const Outcome unlimited = run(plain(), 3000);
    ASSERT_EQ(unlimited.statistics.analysis.table_resets, 0U);
    ASSERT_GT(unlimited.bytes_max, 2 * budget) << "the budget would not be reached";

    const Outcome limited = run(with_budget(plain(), budget), 3000);
    EXPECT_EQ(limited.values, unlimited.values);
    EXPECT_GE(limited.statistics.analysis.table_resets, 2U);
    EXPECT_LE(limited.bytes_max, budget + budget / 2);
}

TEST(AnalysisBudget, that_is_far_too_small_does_not_change_results) {
    const Outcome unlimited = run(plain(), 300);
    for (const Options& options : {plain(1), plain(4), automatic(), mined()}) {
        const Outcome limited = run(with_budget(options, 1024), 300);
        EXPECT_EQ(limited.values, unlimited.values);
        EXPECT_GE(limited.statistics.analysis.table_resets, 10U);
    }
}

class ForgottenTraces : public ::testing::TestWithParam<Serving> {};
INSTANTIATE_TEST_SUITE_P(, ForgottenTraces, ::testing::ValuesIn(recognisers), serving_name);

TEST_P(ForgottenTraces, are_found_and_recorded_again) {
    Runtime runtime(with_budget(options_for(GetParam()), std::uint64_t{1} << 18));
    const auto x = runtime.create_region<std::int64_t>(extents(n), "x");
    runtime.fill(x, 0);
    for (std::int64_t phase = 0; phase < 5; ++phase) {
        for (int i = 0; i < 1000; ++i)
            runtime.launch(
                "add", [](View<std::int64_t, 1> v) { ++v[0]; }, read_write(x));
        for (std::int64_t i = 0; i < 500; ++i) add_to_two(runtime, x, 500 * phase + i);
    }
    runtime.wait_all();
    const Statistics s = runtime.statistics();
    EXPECT_GE(s.analysis.table_resets, 2U);
    EXPECT_GT(s.traces.replayed, 3000U);
    EXPECT_EQ(s.traces.mismatches, 0U) << s.traces.last_mismatch;
    EXPECT_EQ(s.launches.operations, s.traces.analysed + s.traces.recorded + s.traces.replayed);
}

/// Bytes that malloc has given out; 0 under a sanitizer, which replaces malloc.
std::size_t allocated_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/// One live region at a time, each of a size of its own: single tasks on its pieces, which divide
/// the region into cells, an index launch through a partition of its own, and one through an image.
void use_a_new_size(Runtime& runtime, std::int64_t round) {
    constexpr std::int64_t pieces = 32;
    const std::int64_t size = 64 * pieces + round;
    const auto x = runtime.create_region<std::int64_t>(extents(size), "x");
    const Partition<1> parts = tiles(x.bounds(), pieces);
    runtime.fill(x, 0);
    for (int sweep = 0; sweep < 4; ++sweep)
        for (std::int64_t piece = 0; piece < pieces; ++piece)
            runtime.launch(
                "one piece", [](View<std::int64_t, 1> v) { ++v.span()[0]; },
                read_write(x, parts, Point<1>(piece)));
    std::vector<std::int64_t> pointers(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i)
        pointers[static_cast<std::size_t>(i)] = (i * 7 + round) % size;
    const Partition<1> neighbours = image(x.bounds(), tiles(x.bounds(), 4), pointers);
    runtime.launch(
        "image", neighbours.colours(), [](View<const std::int64_t, 1>) {}, read(x, neighbours));
    runtime.launch(
        "halo", parts.colours(), [](View<const std::int64_t, 1>) {},
        read(x, halo(parts, 1 + round % 5)));
}

class Soak : public ::testing::TestWithParam<Serving> {};
INSTANTIATE_TEST_SUITE_P(, Soak, ::testing::Values(Serving::untraced, Serving::looking_back),
                         serving_name);

TEST_P(Soak, of_ever_new_sizes_partitions_and_images_stays_within_the_budget) {
    if (allocated_bytes() == 0) GTEST_SKIP() << "malloc does not count";
    constexpr std::size_t budget = std::size_t{4} << 20;
    Options options = with_budget(options_for(GetParam(), 1), budget);
    options.limits.trace_bytes = std::size_t{1} << 20;
    Runtime runtime(options);
    std::size_t counted_max = 0;
    std::size_t bytes_without = 0;  // the budget counts
    std::size_t bytes_max = 0;
    std::int64_t round = 0;
    const auto go_on = [&](int resets) {
        const auto until = runtime.statistics().analysis.table_resets + resets;
        for (; runtime.statistics().analysis.table_resets < until; ++round) {
            ASSERT_LT(round, 5'000) << "the tables are never full";
            use_a_new_size(runtime, round);
            const std::size_t counted = runtime.statistics().analysis.bytes;
            const std::size_t bytes = allocated_bytes();
            counted_max = std::max(counted_max, counted);
            bytes_max = std::max(bytes_max, bytes);
            bytes_without = std::max(bytes_without, bytes - std::min(bytes, counted));
        }
    };
    go_on(3);
    const std::size_t without_early = bytes_without;
    go_on(6);
    EXPECT_LE(counted_max, budget + budget / 4);
    EXPECT_LE(bytes_max, without_early + budget + budget / 2) << "memory grows";
    EXPECT_LE(bytes_without, without_early + budget / 4) << "some table does not count itself";
}

/// Nothing may be forgotten inside a manual trace; everything may be after it.
TEST(AnalysisBudget, is_enforced_only_after_the_end_of_a_manual_trace) {
    Runtime runtime(with_budget(plain(), 1024));
    const auto x = runtime.create_region<std::int64_t>(extents(n), "x");
    runtime.fill(x, 0);
    for (int round = 0; round < 4; ++round) {
        const std::uint64_t before = runtime.statistics().analysis.table_resets;
        runtime.begin_trace(1);
        for (std::int64_t i = 0; i < 100; ++i) add_to_two(runtime, x, i);
        EXPECT_EQ(runtime.statistics().analysis.table_resets, before);
        runtime.end_trace(1);
        for (int i = 0; i < 32; ++i) runtime.launch("outside", [] {});
        EXPECT_GT(runtime.statistics().analysis.table_resets, before);
    }
    std::int64_t sum = 0;
    for (const std::int64_t value : values_of(runtime, x)) sum += value;
    EXPECT_EQ(sum, 4 * 2 * 100);
    EXPECT_EQ(runtime.statistics().traces.mismatches, 0U);
}

/// Failures stay known: regions keep them, not the tables.
TEST(AnalysisBudget, keeps_failures) {
    Runtime runtime(with_budget(plain(), 1024));
    const auto x = runtime.create_region<std::int64_t>(extents(n), "x");
    runtime.fill(x, 0);
    runtime.launch(
        "break", [](View<std::int64_t, 1>) { throw std::runtime_error("broken"); }, read_write(x));
    EXPECT_THROW(runtime.wait_all(), TaskError);
    for (int i = 0; i < 100; ++i) runtime.launch("more", [] {});
    EXPECT_GT(runtime.statistics().analysis.table_resets, 0U);
    EXPECT_THROW(static_cast<void>(runtime.read(x)), TaskError);
}

}  // namespace
}  // namespace refrain::analysis_budget_test
