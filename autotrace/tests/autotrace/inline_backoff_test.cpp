#include "autotrace/backoff.hpp"
#include "autotrace/streams.hpp"
#include "autotrace/watched_recogniser.hpp"

#include <gtest/gtest.h>

namespace refrain::autotrace::testing::inline_backoff_test {
namespace {

TEST(InlineRecogniser, backs_off_when_nothing_repeats_and_stops_for_a_loop) {
    InlineRecogniser recogniser(unfolded(tiny));
    std::uint64_t fresh = 0;
    while (!recogniser.backing_off()) recogniser.operation(Words{++fresh});
    EXPECT_EQ(fresh, detail::Backoff::round) << "the patience is at least a round";
    std::uint64_t skipped = 0, precedents = 0;
    const InlinePosition end = recogniser.end();
    for (std::uint64_t i = 0; i < 100'000; ++i) {
        if (recogniser.backing_off()) {
            recogniser.skip();
            ++skipped;
        } else if (recogniser.operation(Words{i % 10, 1}).precedent) {
            ++precedents;
        }
    }
    EXPECT_EQ(skipped, detail::Backoff::round * detail::Backoff::rounds_skipped);
    EXPECT_EQ(precedents, 100'000 - skipped - 10);
    EXPECT_EQ(recogniser.end(), end + 1 + 100'000 - skipped) << "one interruption for all skipped";
}

TEST(InlineRecogniser, a_loop_after_many_new_operations_is_found_at_most_eight_operations_late) {
    constexpr std::uint64_t fresh = 6 * detail::Backoff::round, period = 20;
    for (std::uint64_t begin = fresh; begin < fresh + 8; ++begin) {
        Watched watched({.capacity_log2 = 14});
        for (std::uint64_t i = 0; i < begin; ++i) watched.operation({i, 2});
        for (std::uint64_t i = 0; i < 3 * period; ++i) {
            const auto precedent = watched.operation({i % period, 1});
            EXPECT_FALSE(precedent && i < period);
            EXPECT_TRUE(precedent || i < period + 8) << i;
        }
    }
}

/// Blocks of three in random order: few runs of predictions are longer than a block, but the
/// operations before each block have occurred before.
TEST(InlineRecogniser, does_not_back_off_where_short_blocks_come_in_random_order) {
    InlineRecogniser recogniser({.capacity_log2 = 10, .words_log2 = 12});
    for (const auto each : random_branches(20'000, 10, 3, 1)) {
        recogniser.operation(Words{each});
        ASSERT_FALSE(recogniser.backing_off());
    }
}

TEST(InlineRecogniser, says_how_many_operations_brought_no_repeats) {
    InlineRecogniser recogniser({.capacity_log2 = 14});
    for (std::uint64_t i = 0; i < 1500; ++i) {
        EXPECT_EQ(recogniser.fruitless(), i) << "also within a round";
        recogniser.operation(Words{i, 2});
    }
    for (std::uint64_t i = 0; i < 1500; ++i) recogniser.operation(Words{i % 10, 1});
    EXPECT_EQ(recogniser.fruitless(), 0U);
}

TEST(InlineRecogniser, searches_again_when_told_that_repeats_are_expected) {
    InlineRecogniser recogniser(unfolded(tiny));
    for (std::uint64_t i = 0; !recogniser.backing_off(); ++i) recogniser.operation(Words{i, 2});
    recogniser.end_backoff();
    EXPECT_FALSE(recogniser.backing_off());
    EXPECT_EQ(recogniser.fruitless(), 0U);
}

}  // namespace
}  // namespace refrain::autotrace::testing::inline_backoff_test
