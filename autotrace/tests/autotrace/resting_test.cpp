#include "autotrace/resting.hpp"

#include <gtest/gtest.h>

namespace refrain::autotrace::detail::resting_test {
namespace {

constexpr std::uint64_t patience = 4 * Resting::round;
constexpr std::uint64_t passed = Resting::rounds_passed * Resting::round;

/// So many operations, one in `rarity` of them a repetition. Ends early where it is to rest; returns
/// how many were looked at.
std::uint64_t look(Resting& resting, std::uint64_t operations, std::uint64_t rarity) {
    for (std::uint64_t i = 0; i < operations; ++i) {
        if (resting.rests()) return i;
        resting.saw(i % rarity == 0 ? Resting::context_min : Resting::context_min - 1);
    }
    return operations;
}

/// How many operations are passed over, if a rest is due; then it is no more.
std::uint64_t rest(Resting& resting) {
    const std::uint64_t count = resting.rest();
    EXPECT_FALSE(resting.rests());
    return count;
}

constexpr std::uint64_t never = 1'000'000'000;

TEST(Resting, begins_when_as_many_operations_as_the_patience_were_looked_at_in_vain) {
    Resting resting(patience);
    EXPECT_EQ(look(resting, 100'000, never), patience);
    EXPECT_TRUE(resting.rests());
}

TEST(Resting, looks_at_one_round_in_sixteen_as_long_as_nothing_repeats) {
    Resting resting(patience);
    look(resting, patience, never);
    for (int times = 0; times < 5; ++times) {
        EXPECT_EQ(rest(resting), passed);
        EXPECT_EQ(look(resting, 100'000, never), Resting::round);
    }
}

TEST(Resting, never_begins_where_one_in_eight_repeats) {
    Resting resting(patience);
    EXPECT_EQ(look(resting, 100'000, Resting::worth), 100'000u);
}

TEST(Resting, begins_where_one_in_nine_repeats) {
    Resting resting(patience);
    EXPECT_EQ(look(resting, 100'000, Resting::worth + 1), patience);
}

TEST(Resting, one_round_with_repetitions_ends_it_and_the_patience_counts_anew) {
    Resting resting(patience);
    look(resting, patience, never);
    rest(resting);
    EXPECT_EQ(look(resting, Resting::round, 1), Resting::round);
    EXPECT_FALSE(resting.rests());
    EXPECT_EQ(look(resting, 100'000, never), patience);
}

TEST(Resting, looks_seldom_after_some_rounds_in_vain_until_one_was_not) {
    Resting resting(100 * Resting::round);
    const std::uint64_t rounds = Resting::rounds_before_seldom * Resting::round;
    look(resting, rounds - 1, never);
    EXPECT_FALSE(resting.looks_seldom());
    look(resting, 1, never);
    EXPECT_TRUE(resting.looks_seldom());
    look(resting, Resting::round, Resting::worth);
    EXPECT_FALSE(resting.looks_seldom());
}

TEST(Resting, a_context_that_is_too_short_is_no_repetition) {
    Resting shorter(patience), enough(patience);
    for (std::uint64_t i = 0; i < patience; ++i) {
        shorter.saw(Resting::context_min - 1);
        enough.saw(Resting::context_min);
    }
    EXPECT_TRUE(shorter.rests());
    EXPECT_FALSE(enough.rests());
}

}  // namespace
}  // namespace refrain::autotrace::detail::resting_test
