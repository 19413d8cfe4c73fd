#include "graph/alone_policy.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace refrain::graph::alone_policy_test {
namespace {

/// Stretches until the next trial; at most `most`.
std::uint64_t rest(AlonePolicy& policy, std::uint64_t most = 5'000) {
    std::uint64_t stretches = 0;
    for (; !policy.is_trying() && stretches < most; ++stretches) policy.rested();
    return stretches;
}

/// A whole trial in which stretches take so long.
void try_out(AlonePolicy& policy, std::uint64_t shared, std::uint64_t alone) {
    ASSERT_TRUE(policy.is_trying());
    while (policy.is_trying()) policy.tried(policy.is_alone() ? alone : shared);
}

TEST(AlonePolicy, tries_both_in_turns_and_takes_the_faster) {
    AlonePolicy policy;
    EXPECT_FALSE(policy.is_alone()) << "work is shared until more is known";
    EXPECT_EQ(rest(policy), 1U);
    std::string order;
    for (const std::uint64_t ticks : {1'000U, 9U, 5'000U, 9U, 1'000U, 9U, 900U}) {
        EXPECT_TRUE(policy.is_trying());
        order += policy.is_alone() ? 'a' : 's';
        policy.tried(ticks);
    }
    EXPECT_EQ(order, "saassaa") << "the first of each two is not timed";
    EXPECT_FALSE(policy.is_trying());
    EXPECT_TRUE(policy.is_alone()) << "an interrupt makes one stretch longer; the other counts";
    rest(policy);
    EXPECT_TRUE(policy.is_alone()) << "a trial begins with the way taken until now";
    try_out(policy, 1'000, 1'100);
    EXPECT_FALSE(policy.is_alone());
    rest(policy);
    try_out(policy, 1'000, 1'000);
    EXPECT_FALSE(policy.is_alone()) << "no gain, so others may work";
}

TEST(AlonePolicy, rests_twice_as_long_after_each_trial_that_says_the_same) {
    AlonePolicy policy;
    rest(policy);
    try_out(policy, 1'000, 500);
    for (std::uint64_t expected = AlonePolicy::rest_min; expected <= AlonePolicy::rest_max;
         expected *= 2) {
        EXPECT_EQ(rest(policy), expected);
        try_out(policy, 1'000, 500);
    }
    EXPECT_EQ(rest(policy), AlonePolicy::rest_max);
    try_out(policy, 500, 1'000);
    EXPECT_EQ(rest(policy), AlonePolicy::rest_min) << "the program has changed";
}

TEST(AlonePolicy, gives_a_way_up_that_is_slower_by_a_quarter) {
    AlonePolicy policy;
    rest(policy);
    EXPECT_FALSE(policy.is_hopeless({1'000'000, 1, 1, 8})) << "nothing is known of the other way";
    policy.tried(8'000);
    EXPECT_TRUE(policy.is_alone());
    EXPECT_FALSE(policy.is_hopeless({3'250, 1, 1, 8}));
    EXPECT_TRUE(policy.is_hopeless({3'251, 1, 1, 8}));
    EXPECT_FALSE(policy.is_hopeless({7'000, 4, 1, 8}));
    EXPECT_TRUE(policy.is_hopeless({7'001, 4, 1, 8}));
    policy.gave_up();
    EXPECT_TRUE(policy.is_trying()) << "it may have been interrupted";
    EXPECT_FALSE(policy.is_alone());
    policy.tried(8'000);
    policy.tried(8'000);
    policy.tried(9'000);  // with what was to be brought here
    EXPECT_TRUE(policy.is_alone());
    policy.gave_up();
    EXPECT_FALSE(policy.is_trying());
    EXPECT_FALSE(policy.is_alone());
}

TEST(AlonePolicy, gives_up_sharing_where_being_alone_was_faster) {
    AlonePolicy policy;
    rest(policy);
    policy.tried(8'000);
    policy.tried(1'000);
    policy.tried(1'000);
    EXPECT_FALSE(policy.is_alone());
    EXPECT_TRUE(policy.is_hopeless({876, 4, 1, 8}));
    policy.gave_up();
    EXPECT_TRUE(policy.is_alone());
    policy.tried(1'000);
    policy.tried(1'000);
    EXPECT_FALSE(policy.is_trying());
    EXPECT_TRUE(policy.is_alone());
}

TEST(AlonePolicy, gives_a_way_up_within_a_turn_once_it_has_taken_longer_than_all_may) {
    AlonePolicy policy;
    rest(policy);
    policy.tried(8'000);
    EXPECT_FALSE(policy.is_hopeless({7'001, 3, 4, 8})) << "the long launches may come first";
    EXPECT_FALSE(policy.is_hopeless({12'000, 3, 4, 8}));
    EXPECT_TRUE(policy.is_hopeless({12'001, 3, 4, 8}));
    EXPECT_TRUE(policy.is_hopeless({7'001, 4, 4, 8}));
}

TEST(AlonePolicy, waits_for_as_long_as_a_trial_takes_before_it_tries_what_is_irregular) {
    AlonePolicy policy(AlonePolicy::irregular());
    EXPECT_EQ(rest(policy), 8U);
    try_out(policy, 1'000, 900);
    EXPECT_TRUE(policy.decision());
    std::uint64_t longest = 0;
    for (int trial = 0; trial < 8; ++trial) {
        longest = std::max(longest, rest(policy));
        try_out(policy, 1'000, 900);
    }
    EXPECT_EQ(longest, 256U) << "the answer may be chance";
}

TEST(AlonePolicy, leaves_a_trial_undecided_whose_loop_was_left) {
    AlonePolicy policy;
    rest(policy);
    try_out(policy, 1'000, 500);
    rest(policy);
    policy.tried(1'000);
    policy.left();
    EXPECT_FALSE(policy.is_trying());
    EXPECT_TRUE(policy.is_alone()) << "as before the trial";
    EXPECT_EQ(rest(policy), 1U);
}

TEST(AlonePolicy, follows_others_until_a_trial_has_decided) {
    AlonePolicy policy;
    policy.follow(true);
    EXPECT_TRUE(policy.is_alone());
    rest(policy);
    policy.follow(false);
    EXPECT_TRUE(policy.decision()) << "a trial goes on";
    policy.left();
    policy.follow(false);
    EXPECT_FALSE(policy.decision());
    rest(policy);
    try_out(policy, 1'000, 500);
    policy.follow(false);
    EXPECT_TRUE(policy.decision());
}

TEST(AlonePolicy, tries_ever_later_what_is_always_left) {
    AlonePolicy policy;
    rest(policy);
    for (std::uint64_t expected = 1; expected <= AlonePolicy::rest_max; expected *= 2) {
        policy.tried(1'000);
        policy.left();
        EXPECT_EQ(rest(policy), expected);
    }
    try_out(policy, 1'000, 500);
    rest(policy);
    policy.left();
    EXPECT_EQ(rest(policy), 1U) << "a trial has come to its end since";
}

/// Whatever their lengths: many are multiples of eight.
TEST(LatestLoops, keep_what_is_known_of_eight_loops) {
    LatestLoops loops;
    const auto look_at = [&](std::uint64_t length) {
        LatestLoops::Loop& loop = loops.of(length);
        EXPECT_EQ(loop.length, length);
        const bool was_known = loop.policy.is_trying();
        if (!was_known) loop.policy.rested();
        return was_known;
    };
    for (std::uint64_t i = 1; i <= 8; ++i) EXPECT_FALSE(look_at(8 * i));
    for (std::uint64_t i = 1; i <= 8; ++i) EXPECT_TRUE(look_at(8 * i));
    EXPECT_TRUE(look_at(8));
    EXPECT_FALSE(look_at(1)) << "in the place of the one that was left first";
    EXPECT_TRUE(look_at(8));
    EXPECT_FALSE(look_at(16));
}

TEST(AlonePolicy, is_about_launches_that_fetching_a_cache_would_slow_down) {
    const SharingLimits limits = SharingLimits::of(100);
    EXPECT_FALSE(AlonePolicy::is_short(0, limits)) << "unknown";
    EXPECT_TRUE(AlonePolicy::is_short(1, limits));
    EXPECT_TRUE(AlonePolicy::is_short(204'800, limits));
    EXPECT_FALSE(AlonePolicy::is_short(204'801, limits));
}

TEST(AlonePolicy, does_not_take_for_an_answer_what_was_shared_both_times) {
    AlonePolicy policy;
    rest(policy);
    policy.tried(1'000);
    EXPECT_TRUE(policy.is_alone());
    policy.was_shared_anyway();
    EXPECT_FALSE(policy.is_trying());
    EXPECT_FALSE(policy.is_alone());
    EXPECT_EQ(rest(policy), AlonePolicy::rest_min);
    try_out(policy, 1'000, 500);
    rest(policy);
    EXPECT_TRUE(policy.is_alone());
    policy.was_shared_anyway();
    EXPECT_FALSE(policy.is_alone()) << "launches have become longer";
}

TEST(AlonePolicy, tries_fewer_launches_if_they_are_long) {
    const SharingLimits limits = SharingLimits::of(100);
    constexpr std::uint64_t window = 1024;
    const std::uint64_t moved = AlonePolicy::fetch_ticks(limits);
    const auto launches = [&](std::uint64_t ticks) {
        return AlonePolicy::launches_to_try(ticks, window, limits);
    };
    EXPECT_EQ(launches(0), window) << "unknown";
    EXPECT_EQ(launches(moved / window), window);
    EXPECT_EQ(launches(moved / 500), 500U);
    const std::uint64_t least = launches(moved);
    EXPECT_GE(least, 2 * LanePolicy::Limits().least) << "lanes begin, and are used";
    EXPECT_LT(least, 500U);
    EXPECT_EQ(launches(100 * moved), least);
    EXPECT_EQ(AlonePolicy::launches_to_try(moved, 16, limits), 16U);
}

}  // namespace
}  // namespace refrain::graph::alone_policy_test
