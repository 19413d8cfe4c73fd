#include "graph/sharing_policy.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace refrain::graph::sharing_policy_test {
namespace {

constexpr std::uint64_t steal = 100;  // ticks
constexpr SharingLimits limits = SharingLimits::of(steal);

/// A worker's policy, a clock, and what the launching thread does.
struct Scene {
    SharingPolicy policy;
    std::uint64_t now = 1'000'000;
    LauncherSeen launcher{.items = 0, .helps = false};
    std::size_t resters = 0;

    Scene() { (void)wait(); }  // the first call sets the baseline
    /// Whether the worker ended a time of rests.
    bool run(std::uint64_t ticks, int items = 1) {
        bool recalls = false;
        for (int i = 0; i < items; ++i) recalls = policy.before_item(ticks, limits) || recalls;
        return recalls;
    }
    /// Items until the worker backs off, of at most 1,000.
    [[nodiscard]] int items_until_it_backs_off(std::uint64_t ticks) {
        int items = 0;
        while (!policy.backing_off() && items < 1'000) {
            run(ticks);
            ++items;
        }
        return items;
    }
    void launching_thread_launches(std::uint64_t ticks_each) {
        now += 100 * ticks_each;
        launcher.items += 100;
    }
    [[nodiscard]] std::uint64_t wait() { return policy.next_wait(now, launcher, resters, limits); }
};

TEST(SharingPolicy, backs_off_from_short_work_that_nothing_waits_beside) {
    Scene scene;
    scene.run(0);  // unknown cost
    EXPECT_LE(scene.items_until_it_backs_off(steal), 2);
}

TEST(SharingPolicy, shares_short_work_that_others_wait_beside_if_it_outweighs_a_steal) {
    Scene scene;
    scene.policy.stole(1, 0, false);
    EXPECT_EQ(scene.items_until_it_backs_off(limits.line), 1'000);
    EXPECT_LT(scene.items_until_it_backs_off(limits.line - 10), 1'000);
}

/// Parts of a group of points that a far worker takes are over before what they need has come: chains of
/// eight points took 2.3 times as long on 16 workers of two sockets as on eight.
TEST(SharingPolicy, shares_what_waits_for_a_busy_worker_if_it_outweighs_the_lines_that_cross) {
    Scene scene;
    scene.policy.stole(3, 0, true);
    EXPECT_EQ(scene.items_until_it_backs_off(limits.there), 1'000);
    EXPECT_LT(scene.items_until_it_backs_off(limits.there - 10), 1'000);
}

TEST(SharingPolicy, never_backs_off_from_work_that_is_worth_it_or_of_unknown_cost) {
    Scene scene;
    scene.policy.stole(0, 0, false);
    EXPECT_EQ(scene.items_until_it_backs_off(limits.worth), 1'000);
    EXPECT_EQ(scene.items_until_it_backs_off(0), 1'000);
}

TEST(SharingPolicy, forgives_a_few_short_items_among_long_ones) {
    Scene scene;
    scene.policy.stole(1, 0, false);
    for (int round = 0; round < 100; ++round) {
        scene.run(1, 10);
        EXPECT_FALSE(scene.policy.backing_off());
        scene.run(limits.worth);
    }
}

TEST(SharingPolicy, steals_that_fail_on_short_work_count_and_others_do_not) {
    Scene scene;
    scene.policy.stole(1, 0, false);
    for (int i = 0; i < 1'000; ++i) scene.policy.missed(limits);
    EXPECT_FALSE(scene.policy.backing_off()) << "nothing is known of the work";
    scene.run(limits.worth);
    for (int i = 0; i < 1'000; ++i) scene.policy.missed(limits);
    EXPECT_FALSE(scene.policy.backing_off()) << "the work is long";
    scene.run(limits.line, 2);
    for (int i = 0; i < 20; ++i) scene.policy.missed(limits);
    EXPECT_TRUE(scene.policy.backing_off());
}

TEST(SharingPolicy, rests_twice_as_long_each_time_and_all_together_look_as_often_as_one) {
    for (const std::size_t resters : {std::size_t{0}, std::size_t{7}}) {
        Scene scene;
        scene.resters = resters;
        std::uint64_t expected = 0;
        for (int i = 0; i < 12; ++i) {
            scene.run(1);
            scene.launching_thread_launches(limits.line);
            const std::uint64_t longest = 8 * limits.worth * (1 + resters);
            expected = expected == 0 ? limits.worth : std::min(2 * expected, longest);
            EXPECT_EQ(scene.wait(), expected);
            EXPECT_FALSE(scene.policy.backing_off()) << "it looks at one more item";
        }
        EXPECT_TRUE(scene.policy.is_resting());
        EXPECT_TRUE(scene.run(limits.worth)) << "all are recalled";
        EXPECT_FALSE(scene.policy.is_resting());
        EXPECT_FALSE(scene.run(limits.worth)) << "once";
    }
}

TEST(SharingPolicy, does_not_rest_while_the_launching_thread_is_away) {
    Scene scene;
    scene.run(1);
    scene.now += 1'000'000;
    EXPECT_EQ(scene.wait(), 0U);
    EXPECT_FALSE(scene.policy.backing_off());
    scene.run(1);
    scene.now += 1'000'000;
    scene.launcher.helps = true;
    EXPECT_GT(scene.wait(), 0U) << "it waits and may run the work";
}

/// A launch that runs elsewhere crosses six lines. While the launching thread computes for longer than
/// that between two launches, another worker does them in its shadow.
TEST(SharingPolicy, does_not_rest_while_the_launching_thread_computes_between_launches) {
    for (const std::uint64_t lines : {5U, 7U}) {
        Scene scene;
        scene.run(2 * limits.line);
        scene.launching_thread_launches(lines * limits.line);
        EXPECT_EQ(scene.wait() == 0, lines == 7) << lines << " lines per launch";
    }
}

TEST(SharingPolicy,
     does_not_rest_from_work_that_outweighs_its_lines_while_the_launching_thread_launches) {
    Scene scene;
    scene.run(5 * limits.line, 2);
    scene.launching_thread_launches(limits.line);
    EXPECT_EQ(scene.wait(), 0U);
    scene.run(5 * limits.line - 1, 2);
    scene.launching_thread_launches(limits.line);
    EXPECT_GT(scene.wait(), 0U);
}

TEST(SharingPolicy, takes_work_back_that_the_waiting_launching_thread_did_not_take) {
    for (const bool helps : {false, true}) {
        Scene scene;
        scene.launcher.helps = helps;
        scene.run(2 * limits.line);
        scene.launching_thread_launches(limits.line);
        ASSERT_GT(scene.wait(), 0U);
        scene.policy.nobody_took_it();
        EXPECT_EQ(scene.items_until_it_backs_off(2 * limits.line) == 1'000, helps);
    }
}

TEST(SharingPolicy, publishes_launches_of_unknown_cost_at_once_and_short_ones_in_groups) {
    Scene scene;
    const auto launches_until_published = [&](std::uint64_t ticks, bool lacks_searchers) {
        int launches = 1;
        while (!scene.policy.publishes(ticks, lacks_searchers, 16, limits)) ++launches;
        scene.policy.published();
        return launches;
    };
    EXPECT_EQ(launches_until_published(0, false), 1);
    EXPECT_EQ(launches_until_published(1, false), 16);
    EXPECT_EQ(launches_until_published(1, true), 1);
    EXPECT_EQ(launches_until_published(limits.publish / 4, false), 4);
    scene.policy.helps();
    EXPECT_EQ(launches_until_published(limits.publish, false), 1);
}

TEST(SharingPolicy, holds_back_a_sixteenth_of_the_launches_since_the_launching_thread_helped) {
    SharingPolicy policy;
    for (int phase = 0; phase < 2; ++phase) {
        int held = 0;
        for (int launch = 1; launch <= 1'000; ++launch) {
            ++held;
            if (policy.publishes(limits.publish, false, 16, limits)) {
                EXPECT_EQ(held, std::min(launch / 16 + 1, 16)) << launch;
                policy.published();
                held = 0;
            }
            ASSERT_LE(held, 16);
        }
        EXPECT_TRUE(policy.publishes(0, false, 16, limits)) << "of unknown cost";
        policy.published();
        EXPECT_TRUE(policy.publishes(limits.publish, true, 16, limits)) << "nobody searches";
        policy.published();
        policy.helps();
    }
}

TEST(SharingPolicy, splits_long_groups_and_later_their_parts_or_where_launches_wait_anyway) {
    SharingPolicy policy;
    EXPECT_FALSE(policy.is_long(1, 1'000'000, true, limits)) << "one point";
    EXPECT_TRUE(policy.is_long(2, 0, true, limits)) << "unknown";
    EXPECT_TRUE(policy.is_long(8, limits.split / 8 + 1, true, limits));
    EXPECT_FALSE(policy.is_long(8, limits.split / 8, true, limits));
    EXPECT_FALSE(policy.is_long(2, limits.worth, false, limits));
    EXPECT_TRUE(policy.is_long(2, limits.worth + 1, false, limits));
    policy.stole(1, 0, false);
    EXPECT_FALSE(policy.is_long(8, limits.worth, true, limits));
    EXPECT_TRUE(policy.is_long(8, limits.worth + 1, true, limits));
    policy.stole(0, 0, true);
    EXPECT_TRUE(policy.is_long(8, limits.split / 8 + 1, true, limits));
}

TEST(SharingPolicy, leaves_each_idle_worker_a_share_of_a_group) {
    SharingPolicy policy;
    EXPECT_EQ(policy.share_of(8, 0), 8U);
    EXPECT_EQ(policy.share_of(8, 1), 8U) << "the other takes the half that it finds";
    EXPECT_EQ(policy.share_of(8, 2), 3U);
    EXPECT_EQ(policy.share_of(8, 3), 2U);
    EXPECT_EQ(policy.share_of(8, 100), 1U);
}

TEST(SharingPolicy, splits_a_group_beside_waiting_launches_that_are_too_few_for_the_idle) {
    SharingPolicy policy;
    const std::uint64_t ticks = limits.split / 8 + 1;
    policy.stole(7, 14, false);
    EXPECT_FALSE(policy.is_long(8, ticks, true, limits)) << "each idle worker finds half a launch";
    policy.stole(7, 15, false);
    EXPECT_TRUE(policy.is_long(8, ticks, true, limits));
    EXPECT_EQ(policy.share_of(8, 15), 8U) << "one other for each launch: it takes half";
    policy.stole(7, 127, false);
    EXPECT_EQ(policy.share_of(8, 127), 1U);
}

TEST(SharingPolicy, takes_short_launches_several_at_a_time) {
    EXPECT_EQ(SharingPolicy::steals(100, limits.worth, 2, limits), 1U) << "worth a steal alone";
    EXPECT_EQ(SharingPolicy::steals(100, limits.worth / 3, 2, limits), 3U);
    EXPECT_EQ(SharingPolicy::steals(100, limits.line, 2, limits), SharingPolicy::steals_max);
    EXPECT_EQ(SharingPolicy::steals(100, 1, 2, limits), SharingPolicy::steals_max);
    EXPECT_EQ(SharingPolicy::steals(100, 0, 2, limits), 1U) << "unknown";
    EXPECT_EQ(SharingPolicy::steals(6, limits.line, 2, limits), 3U) << "half, of two workers";
    EXPECT_EQ(SharingPolicy::steals(6, limits.line, 16, limits), 1U);
}

TEST(SharingPolicy, ends_rests_for_a_launch_that_is_worth_sharing_whatever_else_is_known) {
    EXPECT_TRUE(SharingPolicy::recalls(limits.worth, limits));
    EXPECT_FALSE(SharingPolicy::recalls(limits.worth - 1, limits));
    EXPECT_FALSE(SharingPolicy::recalls(0, limits)) << "unknown";
}

TEST(SharingPolicy, measures_one_group_of_sixteen_and_each_place_of_any_loop) {
    for (std::size_t length = 1; length <= 64; ++length) {
        SharingPolicy policy;
        std::vector<int> measured(length);
        constexpr int turns = 400;
        for (int turn = 0; turn < turns; ++turn)
            for (int& place : measured)
                if (policy.measures()) {
                    ++place;
                    policy.measured();
                }
        int all = 0;
        for (std::size_t place = 0; place < length; ++place) {
            EXPECT_GE(measured[place], 1) << "place " << place << " of " << length;
            all += measured[place];
        }
        const int groups = turns * static_cast<int>(length);
        EXPECT_NEAR(all, groups / 16, groups / 80) << length;
    }
}

}  // namespace
}  // namespace refrain::graph::sharing_policy_test
