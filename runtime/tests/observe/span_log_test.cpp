#include "observe/span_log.hpp"

#include "observe/sampling_rate.hpp"
#include "page/run_curve.hpp"

#include <gtest/gtest.h>
#include <set>

namespace refrain::observe::span_log_test {
namespace {

TEST(Sampling, keeps_the_beginning_and_one_block_in_61) {
    std::uint64_t sampled = 0;
    double weighted = 0;
    constexpr std::uint64_t operations = 61 * 64 * 100;
    for (std::uint64_t i = 0; i < operations; ++i) {
        if (!Sampling::is_kept(i, 1)) continue;
        ++sampled;
        weighted += Sampling::weight(i);
    }
    EXPECT_TRUE(Sampling::is_kept(0, 1));
    EXPECT_TRUE(Sampling::is_kept(2047, 1));
    EXPECT_FALSE(Sampling::is_kept(2048, 1));
    EXPECT_EQ(sampled, 2048U + 99U * 64U);
    EXPECT_NEAR(weighted, operations, 0.01 * operations);
}

/// Each level keeps a subset of the previous level, so that spans can be thinned out again.
TEST(Sampling, of_a_level_is_a_subset_of_the_previous_level) {
    for (unsigned level = 1; level < 12; ++level)
        for (std::uint64_t i = 0; i < 300'000; i += 7) {
            if (Sampling::is_kept(i, level)) {
                EXPECT_TRUE(Sampling::is_kept(i, level - 1)) << i << " " << level;
            }
        }
}

/// What is said of a level is what it keeps: an example of each, and the rule over some periods.
TEST(Sampling, of_a_level_keeps_the_first_operations_and_a_block_of_each_period) {
    EXPECT_EQ(Sampling::first_operations(1), 2048U);
    EXPECT_EQ(Sampling::period_operations(1), 3904U);
    EXPECT_EQ(Sampling::first_operations(6), 64U);
    EXPECT_EQ(Sampling::first_operations(7), 64U) << "never less than a block";
    EXPECT_EQ(Sampling::period_operations(7), 3904U * 64);
    for (const unsigned level : {1, 2, 7}) {
        const std::uint64_t first = Sampling::first_operations(level);
        const std::uint64_t period = Sampling::period_operations(level);
        double weighted = 0;
        for (std::uint64_t i = 0; i < 3 * period; ++i) {
            const bool is_kept = Sampling::is_kept(i, level);
            ASSERT_EQ(is_kept, i < first || (i >= period && i % period < 64)) << level << " " << i;
            if (is_kept) weighted += Sampling::weight(i, level);
        }
        EXPECT_EQ(weighted, static_cast<double>(first + 2 * period)) << level;
    }
    EXPECT_TRUE(Sampling::is_kept(5, Sampling::level_max));
    EXPECT_FALSE(Sampling::is_kept(64, Sampling::level_max));
}

TEST(Sampling, with_a_cursor_is_the_same_for_ascending_operations) {
    for (const std::uint64_t stride : {1, 2, 3, 63, 64, 1000, 5000}) {
        const SamplingRate rate;
        SamplingCursor cursor;
        for (std::uint64_t operation = 0; operation < 100'000; operation += stride)
            ASSERT_EQ(cursor.includes(operation, rate), rate.includes(operation)) << operation;
    }
}

TEST(SpanLog, stays_within_its_capacity) {
    SpanLog log(1000);
    for (std::uint64_t i = 0; i < 10'000'000; ++i)
        log.add({i, i + 1, "task", i, 0, SpanKind::task});
    EXPECT_LE(log.spans().size(), 1000U);
    EXPECT_GE(log.spans().size(), 200U);
    EXPECT_EQ(log.dropped(), 0U);
    EXPECT_GT(log.spans().back().operation, 5'000'000U) << "the end of the run is included";
    EXPECT_EQ(log.spans().front().operation, 0U);
    // Whole blocks are kept: isolated spans would show nothing in a timeline.
    std::set<std::uint64_t> blocks;
    for (const Span& span : log.spans()) blocks.insert(span.operation / 64);
    EXPECT_GE(log.spans().size(), (blocks.size() - 1) * 64);
}

TEST(SpanLog, counts_spans_beyond_the_capacity_of_one_operation) {
    SpanLog log(100);
    for (std::uint32_t point = 0; point < 150; ++point) log.add({0, 1, "", 0, point});
    EXPECT_EQ(log.spans().size(), 100U);
    EXPECT_EQ(log.dropped(), 50U);
}

TEST(SpanLog, has_a_median_for_each_kind) {
    SpanLog log;
    for (const std::uint64_t ticks : {5, 1000000, 7, 6, 4})
        log.add({10, 10 + ticks, "", 0, 0, SpanKind::analysis});
    log.add({0, 3, "", 0, 0, SpanKind::replay});
    EXPECT_EQ(log.median_ticks(SpanKind::analysis), 6);
    EXPECT_EQ(log.median_ticks(SpanKind::replay), 3);
    EXPECT_EQ(log.median_ticks(SpanKind::mining), 0);
}

TEST(RunCurve, is_evenly_spaced_bounded_and_includes_the_end) {
    page::RunCurve curve;
    std::uint64_t taken = 0;
    for (std::uint64_t i = 1; i <= 3'000'000; ++i) {
        if (!curve.is_due(i)) continue;
        ++taken;
        curve.add({.operations = i});
    }
    curve.end({.operations = 3'000'000});
    const auto& samples = curve.samples();
    EXPECT_LE(samples.size(), page::RunCurve::samples_max);
    EXPECT_GE(samples.size(), page::RunCurve::samples_max / 2);
    EXPECT_EQ(samples.back().operations, 3'000'000U);
    EXPECT_LT(taken, 20'000U) << "taking a sample costs something";
    const std::uint64_t step = samples[1].operations - samples[0].operations;
    for (std::size_t i = 2; i + 1 < samples.size(); ++i)
        EXPECT_NEAR(static_cast<double>(samples[i].operations - samples[i - 1].operations),
                    static_cast<double>(step), 0.01 * static_cast<double>(step));
}

}  // namespace
}  // namespace refrain::observe::span_log_test
