#include "graph/throttle.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::throttle_test {
namespace {

constexpr std::uint64_t profitable = 2000;  // ticks

/// A worker's throttle, a clock, and a launching thread that runs at a given rate.
struct Scene {
    Throttle throttle;
    std::uint64_t now = 1'000'000;
    std::uint64_t launcher_items = 0;

    void advance(std::uint64_t ticks, std::uint64_t items_per_1000_ticks) {
        now += ticks;
        launcher_items += ticks * items_per_1000_ticks / 1000;
    }
    [[nodiscard]] std::uint64_t wait() {
        return throttle.next_wait_ns(now, launcher_items, profitable);
    }
};

void run(Throttle& throttle, std::uint32_t items, std::uint64_t ticks,
         std::uint64_t min_profitable_ticks = profitable) {
    for (std::uint32_t i = 0; i < items; ++i) throttle.before_item(ticks, min_profitable_ticks);
}

TEST(Throttle, backs_off_after_eight_unprofitable_items_in_a_row) {
    Throttle throttle;
    run(throttle, Throttle::unprofitable_items_max - 1, profitable - 1);
    EXPECT_FALSE(throttle.backing_off());
    throttle.before_item(profitable - 1, profitable);
    EXPECT_TRUE(throttle.backing_off());
}

TEST(Throttle, a_profitable_item_or_one_of_unknown_cost_resets_the_count) {
    for (const std::uint64_t ticks : {profitable, std::uint64_t{0}}) {
        Throttle throttle;
        run(throttle, Throttle::unprofitable_items_max - 1, 1);
        throttle.before_item(ticks, profitable);
        run(throttle, Throttle::unprofitable_items_max - 1, 1);
        EXPECT_FALSE(throttle.backing_off()) << ticks;
    }
}

TEST(Throttle, never_backs_off_between_near_cores) {
    Throttle throttle;
    run(throttle, 1000, 1, 0);
    EXPECT_FALSE(throttle.backing_off());
}

TEST(Throttle, waits_twice_as_long_each_time_while_the_launching_thread_is_busy) {
    Scene scene;
    (void)scene.wait();  // the first call sets the baseline
    run(scene.throttle, Throttle::unprofitable_items_max, 1);
    std::uint64_t expected = Throttle::wait_min_ns;
    for (int i = 0; i < 12; ++i) {
        scene.advance(10'000, 1);
        EXPECT_EQ(scene.wait(), expected);
        scene.throttle.before_item(1, profitable);
        EXPECT_TRUE(scene.throttle.backing_off()) << "after one more item it waits again";
        expected = std::min(2 * expected, Throttle::wait_max_ns);
    }
    scene.throttle.before_item(profitable, profitable);
    EXPECT_FALSE(scene.throttle.backing_off());
    run(scene.throttle, Throttle::unprofitable_items_max, 1);
    scene.advance(10'000, 1);
    EXPECT_EQ(scene.wait(), Throttle::wait_min_ns) << "a profitable item resets the wait";
}

TEST(Throttle, does_not_wait_while_the_launching_thread_is_idle) {
    Scene scene;
    (void)scene.wait();
    run(scene.throttle, Throttle::unprofitable_items_max, 1);
    scene.advance(10'000, 1);
    EXPECT_GT(scene.wait(), 0U);
    scene.now += 100'000;  // the launching thread computes something itself
    EXPECT_EQ(scene.wait(), 0U);
    EXPECT_FALSE(scene.throttle.backing_off()) << "it runs eight items before it asks again";
    run(scene.throttle, Throttle::unprofitable_items_max, 1);
    scene.now += 100'000;
    scene.launcher_items += 49;  // one in 2041 ticks
    EXPECT_EQ(scene.wait(), 0U);
    run(scene.throttle, Throttle::unprofitable_items_max, 1);
    scene.now += 100'000;
    scene.launcher_items += 50;
    EXPECT_EQ(scene.wait(), Throttle::wait_min_ns);
}

}  // namespace
}  // namespace refrain::graph::throttle_test
