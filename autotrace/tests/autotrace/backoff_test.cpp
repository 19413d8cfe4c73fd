#include "autotrace/backoff.hpp"

#include <gtest/gtest.h>

namespace refrain::autotrace::detail::backoff_test {
namespace {

constexpr std::uint64_t patience = 4 * Backoff::round;
constexpr std::uint64_t skipped = Backoff::rounds_skipped * Backoff::round;

/// Records up to `operations` operations, one in `rarity` of them a repeat, until a backoff is due.
/// Returns how many it recorded.
std::uint64_t record(Backoff& backoff, std::uint64_t operations, std::uint64_t rarity) {
    for (std::uint64_t i = 0; i < operations; ++i) {
        if (backoff.is_due()) return i;
        backoff.record(i % rarity == 0 ? Backoff::context_min : Backoff::context_min - 1);
    }
    return operations;
}

std::uint64_t start(Backoff& backoff) {
    const std::uint64_t count = backoff.start();
    EXPECT_FALSE(backoff.is_due());
    return count;
}

constexpr std::uint64_t never = 1'000'000'000;

TEST(Backoff, is_due_after_as_many_fruitless_operations_as_the_patience) {
    Backoff backoff(patience);
    EXPECT_EQ(record(backoff, 100'000, never), patience);
    EXPECT_TRUE(backoff.is_due());
}

TEST(Backoff, skips_fifteen_of_sixteen_rounds_while_nothing_repeats) {
    Backoff backoff(patience);
    record(backoff, patience, never);
    for (int times = 0; times < 5; ++times) {
        EXPECT_EQ(start(backoff), skipped);
        EXPECT_EQ(record(backoff, 100'000, never), Backoff::round);
    }
}

TEST(Backoff, is_never_due_if_one_operation_in_eight_repeats) {
    Backoff backoff(patience);
    EXPECT_EQ(record(backoff, 100'000, Backoff::operations_per_repeat_max), 100'000u);
}

TEST(Backoff, is_due_if_one_operation_in_nine_repeats) {
    Backoff backoff(patience);
    EXPECT_EQ(record(backoff, 100'000, Backoff::operations_per_repeat_max + 1), patience);
}

TEST(Backoff, one_round_with_repeats_ends_it_and_resets_the_patience) {
    Backoff backoff(patience);
    record(backoff, patience, never);
    start(backoff);
    EXPECT_EQ(record(backoff, Backoff::round, 1), Backoff::round);
    EXPECT_FALSE(backoff.is_due());
    EXPECT_EQ(record(backoff, 100'000, never), patience);
}

TEST(Backoff, samples_from_the_fourth_fruitless_round_until_a_round_with_repeats) {
    Backoff backoff(100 * Backoff::round);
    const std::uint64_t rounds = Backoff::rounds_before_sampling * Backoff::round;
    record(backoff, rounds - 1, never);
    EXPECT_FALSE(backoff.is_sampling());
    record(backoff, 1, never);
    EXPECT_TRUE(backoff.is_sampling());
    record(backoff, Backoff::round, Backoff::operations_per_repeat_max);
    EXPECT_FALSE(backoff.is_sampling());
}

TEST(Backoff, a_context_below_the_minimum_is_no_repeat) {
    Backoff shorter(patience), enough(patience);
    for (std::uint64_t i = 0; i < patience; ++i) {
        shorter.record(Backoff::context_min - 1);
        enough.record(Backoff::context_min);
    }
    EXPECT_TRUE(shorter.is_due());
    EXPECT_FALSE(enough.is_due());
}

}  // namespace
}  // namespace refrain::autotrace::detail::backoff_test
