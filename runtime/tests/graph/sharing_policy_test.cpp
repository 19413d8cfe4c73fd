#include "graph/sharing_policy.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::sharing_policy_test {
namespace {

constexpr std::uint64_t profitable = 2000;  // ticks

constexpr SharingLimits limits_of(std::uint64_t profitable_ticks) {
    return {.tiny = 400,
            .profitable = profitable_ticks,
            .split = 4000,
            .wait_min = 2000,
            .wait_max = 64'000};
}

/// A worker's policy, a clock, and a launching thread that runs at a given rate.
struct Scene {
    SharingPolicy policy;
    std::uint64_t now = 1'000'000;
    std::uint64_t launcher_items = 0;

    void advance(std::uint64_t ticks, std::uint64_t items_per_1000_ticks) {
        now += ticks;
        launcher_items += ticks * items_per_1000_ticks / 1000;
    }
    [[nodiscard]] std::uint64_t wait() {
        return policy.next_wait(now, launcher_items, limits_of(profitable));
    }
};

void run(SharingPolicy& policy, std::uint32_t items, std::uint64_t ticks,
         std::uint64_t min_profitable_ticks = profitable) {
    for (std::uint32_t i = 0; i < items; ++i)
        policy.before_item(ticks, limits_of(min_profitable_ticks));
}

TEST(SharingPolicy, backs_off_after_eight_unprofitable_items_in_a_row) {
    SharingPolicy policy;
    run(policy, SharingPolicy::unprofitable_items_max - 1, profitable - 1);
    EXPECT_FALSE(policy.backing_off());
    policy.before_item(profitable - 1, limits_of(profitable));
    EXPECT_TRUE(policy.backing_off());
}

TEST(SharingPolicy, a_profitable_item_or_one_of_unknown_cost_resets_the_count) {
    for (const std::uint64_t ticks : {profitable, std::uint64_t{0}}) {
        SharingPolicy policy;
        run(policy, SharingPolicy::unprofitable_items_max - 1, 1);
        policy.before_item(ticks, limits_of(profitable));
        run(policy, SharingPolicy::unprofitable_items_max - 1, 1);
        EXPECT_FALSE(policy.backing_off()) << ticks;
    }
}

TEST(SharingPolicy, never_backs_off_between_near_cores) {
    SharingPolicy policy;
    run(policy, 1000, 1, 0);
    EXPECT_FALSE(policy.backing_off());
}

TEST(SharingPolicy, waits_twice_as_long_each_time_while_the_launching_thread_is_busy) {
    Scene scene;
    (void)scene.wait();  // the first call sets the baseline
    run(scene.policy, SharingPolicy::unprofitable_items_max, 1);
    std::uint64_t expected = limits_of(profitable).wait_min;
    for (int i = 0; i < 12; ++i) {
        scene.advance(10'000, 1);
        EXPECT_EQ(scene.wait(), expected);
        scene.policy.before_item(1, limits_of(profitable));
        EXPECT_TRUE(scene.policy.backing_off()) << "after one more item it waits again";
        expected = std::min(2 * expected, limits_of(profitable).wait_max);
    }
    scene.policy.before_item(profitable, limits_of(profitable));
    EXPECT_FALSE(scene.policy.backing_off());
    run(scene.policy, SharingPolicy::unprofitable_items_max, 1);
    scene.advance(10'000, 1);
    EXPECT_EQ(scene.wait(), limits_of(profitable).wait_min) << "a profitable item resets the wait";
}

TEST(SharingPolicy, does_not_wait_while_the_launching_thread_is_idle) {
    Scene scene;
    (void)scene.wait();
    run(scene.policy, SharingPolicy::unprofitable_items_max, 1);
    scene.advance(10'000, 1);
    EXPECT_GT(scene.wait(), 0U);
    scene.now += 100'000;  // the launching thread computes something itself
    EXPECT_EQ(scene.wait(), 0U);
    EXPECT_FALSE(scene.policy.backing_off()) << "it runs eight items before it asks again";
    run(scene.policy, SharingPolicy::unprofitable_items_max, 1);
    scene.now += 100'000;
    scene.launcher_items += 49;  // one in 2041 ticks
    EXPECT_EQ(scene.wait(), 0U);
    run(scene.policy, SharingPolicy::unprofitable_items_max, 1);
    scene.now += 100'000;
    scene.launcher_items += 50;
    EXPECT_EQ(scene.wait(), limits_of(profitable).wait_min);
}

}  // namespace
}  // namespace refrain::graph::sharing_policy_test
