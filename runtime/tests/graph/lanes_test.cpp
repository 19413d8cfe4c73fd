#include "graph/lanes.hpp"

#include "base/asymmetric_fence.hpp"
#include "graph/lane_policy.hpp"
#include "graph/launch_program.hpp"

#include <array>
#include <bit>
#include <gtest/gtest.h>
#include <span>
#include <string>

namespace refrain::graph::testing::lanes_test {
namespace {

TEST(LanePlan, lanes_have_equal_parts_of_the_points) {
    for (unsigned lanes = 1; lanes <= 7; ++lanes)
        for (std::uint32_t points = lanes; points < 40; ++points)
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const std::uint32_t first = LanePlan::first_point(lane, lanes, points);
                const std::uint32_t end = LanePlan::first_point(lane + 1, lanes, points);
                EXPECT_GE(end - first, points / lanes);
                EXPECT_LE(end - first, points / lanes + 1);
                for (std::uint32_t point = first; point < end; ++point)
                    EXPECT_EQ(LanePlan::lane_of(point, lanes, points), lane);
            }
}

TEST(LanePlan, parts_are_all_points_of_a_lane_up_to_64) {
    EXPECT_EQ(LanePlan({}, 1, 64).part(0).points, ~std::uint64_t{0});
    EXPECT_EQ(LanePlan({}, 2, 5).part(0).points, 0b00011U);
    EXPECT_EQ(LanePlan({}, 2, 5).part(1).points, 0b11100U);
}

TEST(LanePlan, a_lane_without_points_has_an_empty_part) {
    const LanePlan plan({}, 4, 2);
    std::uint64_t all = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
        std::uint64_t points = 0;
        for (std::uint32_t point = 0; point < 2; ++point)
            if (LanePlan::lane_of(point, 4, 2) == lane) points |= std::uint64_t{1} << point;
        EXPECT_EQ(plan.part(lane).points, points) << "lane " << lane;
        all |= plan.part(lane).points;
    }
    EXPECT_EQ(all, 0b11U);
}

/// Those are the lines that a lane asks for before it runs other points.
TEST(LanePlan, a_launch_reads_the_counters_that_were_too_low_when_they_were_last_seen) {
    const LanePlan::Part part{.waits = {{.lane = 1, .distance = 1}, {.lane = 3, .distance = 5}}};
    const auto read_by = [&](std::uint64_t number, std::array<std::uint64_t, 4> seen) {
        std::string lanes;
        part.for_each_lacking(
            number, [&](unsigned lane) { return seen.at(lane); },
            [&](unsigned lane) { lanes += std::to_string(lane); });
        return lanes;
    };
    EXPECT_EQ(read_by(10, {0, 9, 0, 5}), "");
    EXPECT_EQ(read_by(10, {0, 8, 0, 5}), "1");
    EXPECT_EQ(read_by(10, {0, 9, 0, 4}), "3");
    EXPECT_EQ(read_by(10, {0, 0, 0, 0}), "13");
    EXPECT_EQ(read_by(1, {0, 0, 0, 0}), "") << "what was before launch 1 has finished";
}

/// Its one source is the launch before.
LanePlan plan_of(const EdgePattern& pattern, unsigned lanes) {
    const LaneSource source{1, &pattern, true};
    return {std::span(&source, 1), lanes, pattern.target_points()};
}

/// "3 after 1@2": point 3 waits for lane 1 and the launch two launches ago.
std::string to_text(const LanePlan::Part& part) {
    std::string text;
    for (std::uint64_t left = part.waiting; left != 0; left &= left - 1)
        text += std::to_string(std::countr_zero(left)) + " ";
    if (!part.waits.empty()) text += "after";
    for (const LanePlan::Wait& wait : part.waits)
        text += " " + std::to_string(wait.lane) + "@" + std::to_string(wait.distance);
    return text;
}

TEST(LanePlan, in_a_stencil_the_points_at_the_edge_wait_for_the_lane_beside) {
    const EdgePattern pattern(EdgeSet(8, 8, {}, neighbours(8, 8)));
    EXPECT_EQ(to_text(plan_of(pattern, 2).part(0)), "3 after 1@1");
    EXPECT_EQ(to_text(plan_of(pattern, 2).part(1)), "4 after 0@1");
}

TEST(LanePlan, points_that_depend_on_their_own_lane_only_do_not_wait) {
    const EdgePattern pattern(EdgeSet(8, 8, {}, each_to_its_own(8)));
    for (unsigned lane = 0; lane < 4; ++lane)
        EXPECT_EQ(to_text(plan_of(pattern, 4).part(lane)), "");
}

TEST(LanePlan, what_all_points_precede_waits_for_all_other_lanes) {
    const EdgePattern pattern(EdgeSet::complete(16, 4));
    EXPECT_EQ(to_text(plan_of(pattern, 2).part(0)), "0 1 after 1@1");
    EXPECT_EQ(to_text(plan_of(pattern, 2).part(1)), "2 3 after 0@1");
}

TEST(LanePlan, of_several_launches_in_a_lane_the_newest_is_waited_for) {
    const EdgePattern stencil(EdgeSet(8, 8, {}, neighbours(8, 8)));
    const EdgePattern all(EdgeSet::complete(8, 8));
    const std::array sources{LaneSource{7, &all, true}, LaneSource{2, &stencil, true},
                             LaneSource{5, &all, false}};
    const LanePlan plan(sources, 2, 8);
    EXPECT_EQ(to_text(plan.part(0)), "0 1 2 3 after 1@2");
    EXPECT_EQ(to_text(plan.part(1)), "4 5 6 7 after 0@2");
    EXPECT_EQ(plan.sources().size(), 3U) << "failures reach the points along each of them";
}

TEST(LanePlan, half_of_the_points_that_do_not_wait_are_early) {
    const EdgePattern stencil(EdgeSet(14, 14, {}, neighbours(14, 14)));
    EXPECT_EQ(plan_of(stencil, 2).part(0).early, 0b0000111U) << "of 0 to 5; 6 waits";
    EXPECT_EQ(plan_of(stencil, 2).part(1).early, 0b0000111U << 8) << "of 8 to 13; 7 waits";
    const EdgePattern all(EdgeSet::complete(4, 4));
    EXPECT_EQ(plan_of(all, 2).part(0).early, 0U) << "all wait";
    EXPECT_TRUE(plan_of(all, 2).waits());
    const EdgePattern own(EdgeSet(8, 8, {}, each_to_its_own(8)));
    EXPECT_FALSE(plan_of(own, 2).waits());
}

/// What happened, in order: "run 0 1, fetch 3, ...".
std::string& events() {
    static std::string text;
    return text;
}
void note(const char* what, std::uint64_t points) {
    if (!events().empty()) events() += ", ";
    events() += what;
    for (; points != 0; points &= points - 1)
        events() += " " + std::to_string(std::countr_zero(points));
}

/// Two launches of a stencil over eight points in two lanes.
class LanesOfAStencil : public ::testing::Test {
  protected:
    LanesOfAStencil() {
        events().clear();
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            nodes_[i].point_count = 8;
            prepare_bundles(nodes_[i], &bundles_[i]);
            lanes_.publish(nodes_[i], plan_, sizeof(Node));
        }
    }
    bool run(unsigned lane, std::uint64_t last) {
        return lanes_.run(lane, last, 0, [](Node&, std::uint64_t points, std::uint64_t) {
            note("run", points);
            return std::uint64_t{0};
        });
    }

    static void fetch(const Node&, std::uint32_t, std::uint64_t points) noexcept {
        note("fetch", points);
    }
    Lanes lanes_{2, fetch};
    const EdgePattern pattern_{EdgeSet(8, 8, {}, neighbours(8, 8))};
    const LanePlan plan_ = plan_of(pattern_, 2);
    std::array<Node, 2> nodes_;
    std::array<Bundle, 2> bundles_;
};

TEST_F(LanesOfAStencil, what_waiting_points_need_is_fetched_before_others_run) {
    EXPECT_TRUE(run(0, 1)) << "what it waits for was launched before the lanes opened";
    EXPECT_EQ(events(), "run 0, fetch 3, run 1 2, run 3");
}

TEST_F(LanesOfAStencil, points_that_do_not_wait_run_once_while_the_others_cannot) {
    ASSERT_TRUE(run(0, 1));
    events().clear();
    EXPECT_FALSE(run(0, 2)) << "lane 1 has not done launch 1";
    EXPECT_EQ(events(), "run 0, run 1 2");
    EXPECT_FALSE(run(0, 2));
    EXPECT_EQ(events(), "run 0, run 1 2");
    ASSERT_TRUE(run(1, 1));
    events().clear();
    EXPECT_TRUE(run(0, 2));
    EXPECT_EQ(events(), "fetch 3, run 3");
}

/// Launches before the lanes opened have finished, however far back.
TEST(Lanes, a_launch_does_not_wait_for_what_was_launched_before_lanes_opened) {
    Lanes lanes(2);
    lanes.opened();
    const EdgePattern all(EdgeSet::complete(2, 2));
    const LaneSource source{1000, &all, true};
    const LanePlan plan(std::span(&source, 1), 2, 2);
    Node node;
    Bundle bundle;
    node.point_count = 2;
    prepare_bundles(node, &bundle);
    lanes.publish(node, plan, sizeof(Node));
    std::uint64_t ran = 0;
    const auto run_points = [&](Node&, std::uint64_t points, std::uint64_t) {
        ran |= points;
        return std::uint64_t{0};
    };
    EXPECT_TRUE(lanes.run(0, 1, 0, run_points));
    EXPECT_TRUE(lanes.run(1, 1, 0, run_points));
    EXPECT_EQ(ran, 0b11U);
    lanes.settle();
    EXPECT_TRUE(node.is_finished());
}

/// With so many looks it would be there for hours.
TEST(Lanes, the_launching_thread_does_not_look_for_a_launch_that_only_it_can_publish) {
    Lanes lanes(2);
    const auto run_points = [](Node&, std::uint64_t, std::uint64_t) { return std::uint64_t{0}; };
    for (int i = 0; i < 1000; ++i)
        EXPECT_FALSE(lanes.run(0, ~std::uint64_t{0}, ~std::uint32_t{0}, run_points));
}

/// An attempt to run another's lane is a barrier on all cores.
TEST(Lanes, that_wait_are_not_borrowed_again_until_some_lane_has_done_a_launch) {
    if (!base::has_asymmetric_fence()) GTEST_SKIP() << "lanes are borrowed by membarrier(2)";
    constexpr unsigned count = 3;
    Lanes lanes(count);
    const EdgePattern all(EdgeSet::complete(count, count));
    const LaneSource source{1, &all, true};
    const LanePlan first({}, count, count);
    const LanePlan second(std::span(&source, 1), count, count);
    std::array<Node, 2> nodes;
    std::array<Bundle, 2> bundles;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].point_count = count;
        prepare_bundles(nodes[i], &bundles[i]);
    }
    const auto run_points = [](Node&, std::uint64_t, std::uint64_t) { return std::uint64_t{0}; };
    const auto attempt = [&](unsigned lane) { return lanes.run_for_other(lane, run_points); };
    EXPECT_EQ(attempt(1), Lanes::Attempt::none) << "nothing is published";
    lanes.publish(nodes[0], first, sizeof(Node));
    lanes.publish(nodes[1], second, sizeof(Node));
    EXPECT_EQ(attempt(1), Lanes::Attempt::ran);
    EXPECT_EQ(attempt(1), Lanes::Attempt::in_vain) << "it waits for lanes 0 and 2";
    EXPECT_EQ(attempt(1), Lanes::Attempt::none);
    EXPECT_EQ(attempt(0), Lanes::Attempt::ran);
    EXPECT_EQ(attempt(1), Lanes::Attempt::in_vain) << "it waits for lane 2";
    EXPECT_EQ(attempt(1), Lanes::Attempt::none);
    EXPECT_EQ(attempt(2), Lanes::Attempt::ran);
    for (const unsigned lane : {0U, 1U, 2U}) EXPECT_EQ(attempt(lane), Lanes::Attempt::ran);
    EXPECT_EQ(lanes.done(), 2U);
}

constexpr SharingLimits limits = SharingLimits::of(100);
constexpr int least = LanePolicy::Limits().least;

/// How many launches of that length precede the first that goes into lanes; -1: none of many does.
int launches_before_lanes(LanePolicy& policy, std::uint64_t launch_ticks, bool waits = true) {
    for (int launches = 0; launches < 10'000; ++launches)
        if (policy.wants(launch_ticks, waits, limits)) return launches;
    return -1;
}

TEST(LanePolicy, many_launches_in_a_row_go_into_lanes) {
    LanePolicy policy;
    EXPECT_EQ(launches_before_lanes(policy, 1000), least);
    EXPECT_TRUE(policy.wants(1000, true, limits));
    EXPECT_FALSE(policy.wants(0, true, limits));
    EXPECT_EQ(launches_before_lanes(policy, 1000), least);
}

TEST(LanePolicy, launches_with_others_between_them_are_not_in_a_row) {
    LanePolicy policy;
    for (int phase = 0; phase < 100; ++phase) {
        for (int i = 0; i < least; ++i) ASSERT_FALSE(policy.wants(1000, true, limits));
        policy.interrupted();
    }
}

TEST(LanePolicy, a_stall_doubles_what_is_asked_for_once_however_long_the_phase_was) {
    for (const std::uint64_t in_lanes :
         {std::uint64_t{1}, LanePolicy::Limits().least, std::uint64_t{1'000'000}}) {
        LanePolicy policy;
        int asked = least;
        for (int stalls = 0; stalls < 5; ++stalls, asked *= 2) {
            EXPECT_EQ(launches_before_lanes(policy, 1000), asked);
            policy.stalled();
            policy.left(in_lanes);
        }
        EXPECT_EQ(launches_before_lanes(policy, 1000), asked);
        policy.left(1'000'000);
        EXPECT_EQ(launches_before_lanes(policy, 1000), least);
    }
}

TEST(LanePolicy, what_is_too_short_or_long_does_not) {
    LanePolicy policy;
    EXPECT_EQ(launches_before_lanes(policy, 3 * limits.line - 1), -1);
    EXPECT_EQ(launches_before_lanes(policy, 3 * limits.line), least);
    policy.left(least);
    EXPECT_EQ(launches_before_lanes(policy, 32 * limits.worth + 1), -1);
}

TEST(LanePolicy, what_waits_for_no_other_lane_may_be_shorter) {
    LanePolicy policy;
    EXPECT_EQ(launches_before_lanes(policy, 2 * limits.line - 1, false), -1);
    EXPECT_EQ(launches_before_lanes(policy, 2 * limits.line, false), least);
    EXPECT_TRUE(policy.wants(limits.line, false, limits));
    EXPECT_FALSE(policy.wants(limits.line, true, limits)) << "the next launch waits";
    EXPECT_EQ(launches_before_lanes(policy, 0, false), -1) << "its cost is not known";
}

TEST(LanePolicy, a_launch_that_became_a_little_shorter_stays_in_lanes) {
    LanePolicy policy;
    EXPECT_GE(launches_before_lanes(policy, 3 * limits.line), 0);
    EXPECT_TRUE(policy.wants(3 * limits.line - 1, true, limits));
    EXPECT_FALSE(policy.wants(3 * limits.line / 2 - 1, true, limits));
}

TEST(LanePolicy, after_fewer_launches_in_lanes_than_before_them_it_asks_for_more_and_then_for_few) {
    LanePolicy policy;
    policy.left(least - 1);
    EXPECT_EQ(launches_before_lanes(policy, 1000), 2 * least);
    EXPECT_FALSE(policy.wants(0, true, limits));
    policy.left(2 * least);
    EXPECT_EQ(launches_before_lanes(policy, 1000), least);
}

}  // namespace
}  // namespace refrain::graph::testing::lanes_test
