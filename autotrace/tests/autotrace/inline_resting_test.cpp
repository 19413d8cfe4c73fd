#include "autotrace/resting.hpp"
#include "autotrace/streams.hpp"
#include "autotrace/watched_recogniser.hpp"

#include <gtest/gtest.h>

namespace refrain::autotrace::testing::inline_resting_test {
namespace {

TEST(InlineRecogniser, rests_when_nothing_repeats_and_wakes_up_for_a_loop) {
    InlineRecogniser recogniser(unfolded(tiny));
    std::uint64_t fresh = 0;
    while (!recogniser.rests()) recogniser.operation(Words{++fresh});
    EXPECT_EQ(fresh, detail::Resting::round) << "the patience is a round at least";
    std::uint64_t passed = 0, precedents = 0;
    const Position end = recogniser.end();
    for (std::uint64_t i = 0; i < 100'000; ++i) {
        if (recogniser.rests()) {
            recogniser.pass();
            ++passed;
        } else if (recogniser.operation(Words{i % 10, 1}).precedent) {
            ++precedents;
        }
    }
    EXPECT_EQ(passed, detail::Resting::round * detail::Resting::rounds_passed);
    EXPECT_EQ(precedents, 100'000 - passed - 10);
    EXPECT_EQ(recogniser.end(), end + 1 + 100'000 - passed) << "one interruption for all passed";
}

TEST(InlineRecogniser, a_loop_after_much_that_was_new_is_found_at_most_eight_operations_late) {
    constexpr std::uint64_t fresh = 6 * detail::Resting::round, period = 20;
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

/// Blocks of three in random order: hardly any run of predictions is longer than a block, but what
/// stands before each was seen before.
TEST(InlineRecogniser, does_not_rest_where_short_blocks_come_in_any_order) {
    InlineRecogniser recogniser({.capacity_log2 = 10, .words_log2 = 12});
    for (const auto each : random_branches(20'000, 10, 3, 1)) {
        recogniser.operation(Words{each});
        ASSERT_FALSE(recogniser.rests());
    }
}

}  // namespace
}  // namespace refrain::autotrace::testing::inline_resting_test
