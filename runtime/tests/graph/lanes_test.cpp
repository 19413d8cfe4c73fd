#include "graph/lanes.hpp"

#include "graph/lane_policy.hpp"
#include "graph/launch_program.hpp"

#include <chrono>
#include <gtest/gtest.h>

namespace refrain::graph::testing::lanes_test {
namespace {

TEST(Lanes, lanes_have_equal_parts_of_the_points) {
    for (unsigned lanes = 1; lanes <= 7; ++lanes)
        for (std::uint32_t points = lanes; points < 40; ++points)
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const std::uint32_t first = Lanes::first_point(lane, lanes, points);
                const std::uint32_t end = Lanes::first_point(lane + 1, lanes, points);
                EXPECT_GE(end - first, points / lanes);
                EXPECT_LE(end - first, points / lanes + 1);
                for (std::uint32_t point = first; point < end; ++point)
                    EXPECT_EQ(Lanes::lane_of(point, lanes, points), lane);
            }
}

TEST(Lanes, in_a_stencil_the_points_at_the_edge_wait_for_the_lane_beside) {
    const LaneWaits waits = Lanes::waits_of(EdgeSet(8, 8, {}, neighbours(8, 8)), 2);
    EXPECT_EQ(waits[0].lanes, 0b10U);
    EXPECT_EQ(waits[0].points, 1U << 3);
    EXPECT_EQ(waits[1].lanes, 0b01U);
    EXPECT_EQ(waits[1].points, 1U << 4);
}

TEST(Lanes, points_that_depend_on_their_own_lane_only_do_not_wait) {
    for (const LaneWait& wait : Lanes::waits_of(EdgeSet(8, 8, {}, each_to_its_own(8)), 4)) {
        EXPECT_EQ(wait.lanes, 0U);
        EXPECT_EQ(wait.points, 0U);
    }
}

TEST(Lanes, what_all_points_precede_waits_for_all_other_lanes) {
    const LaneWaits waits = Lanes::waits_of(EdgeSet::complete(16, 4), 2);
    EXPECT_EQ(waits[0].lanes, 0b10U);
    EXPECT_EQ(waits[0].points, 0b0011U);
    EXPECT_EQ(waits[1].lanes, 0b01U);
    EXPECT_EQ(waits[1].points, 0b1100U);
}

/// With so many looks it would be there for minutes.
TEST(Lanes, the_launching_thread_does_not_look_for_a_launch_that_only_it_can_publish) {
    Lanes lanes(2);
    const auto run_points = [](Node&, std::uint64_t, std::uint64_t) { return std::uint64_t{0}; };
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(lanes.run(0, ~std::uint64_t{0}, ~std::uint32_t{0}, run_points));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

constexpr SharingLimits limits = SharingLimits::of(100);
constexpr int least = LanePolicy::Limits().least;

/// How many launches of that length precede the first that goes into lanes; -1: none of many does.
int launches_before_lanes(LanePolicy& policy, std::uint64_t launch_ticks) {
    for (int launches = 0; launches < 10'000; ++launches)
        if (policy.wants(launch_ticks, limits)) return launches;
    return -1;
}

TEST(LanePolicy, many_launches_in_a_row_go_into_lanes) {
    LanePolicy policy;
    EXPECT_EQ(launches_before_lanes(policy, 1000), least);
    EXPECT_TRUE(policy.wants(1000, limits));
    EXPECT_FALSE(policy.wants(0, limits));
    EXPECT_EQ(launches_before_lanes(policy, 1000), least);
}

TEST(LanePolicy, launches_with_others_between_them_are_not_in_a_row) {
    LanePolicy policy;
    for (int phase = 0; phase < 100; ++phase) {
        for (int i = 0; i < least; ++i) ASSERT_FALSE(policy.wants(1000, limits));
        policy.interrupted();
    }
}

TEST(LanePolicy, after_a_stall_it_begins_to_count_again) {
    LanePolicy policy;
    EXPECT_GE(launches_before_lanes(policy, 1000), 0);
    policy.left(0);
    EXPECT_EQ(launches_before_lanes(policy, 1000), 2 * least);
}

TEST(LanePolicy, what_is_too_short_or_long_does_not) {
    LanePolicy policy;
    EXPECT_EQ(launches_before_lanes(policy, limits.tiny - 1), -1);
    EXPECT_EQ(launches_before_lanes(policy, 8 * limits.worth + 1), -1);
}

TEST(LanePolicy, a_launch_that_became_a_little_shorter_stays_in_lanes) {
    LanePolicy policy;
    EXPECT_GE(launches_before_lanes(policy, limits.tiny), 0);
    EXPECT_TRUE(policy.wants(limits.tiny - 1, limits));
    EXPECT_FALSE(policy.wants(limits.tiny / 2 - 1, limits));
}

TEST(LanePolicy, after_fewer_launches_in_lanes_than_before_them_it_asks_for_more_and_then_for_few) {
    LanePolicy policy;
    policy.left(least - 1);
    EXPECT_EQ(launches_before_lanes(policy, 1000), 2 * least);
    EXPECT_FALSE(policy.wants(0, limits));
    policy.left(2 * least);
    EXPECT_EQ(launches_before_lanes(policy, 1000), least);
}

}  // namespace
}  // namespace refrain::graph::testing::lanes_test
