#include "graph/throttle.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::throttle_test {
namespace {

constexpr std::uint64_t worth = 2000;

/// A worker's throttle, its clock, and a launching thread that does so much per 1000 ticks.
struct Scene {
    Throttle throttle;
    std::uint64_t now = 1'000'000;
    std::uint64_t launcher_did = 0;

    void pass(std::uint64_t ticks, std::uint64_t items_per_1000) {
        now += ticks;
        launcher_did += ticks * items_per_1000 / 1000;
    }
    [[nodiscard]] std::uint64_t wait() { return throttle.next_wait_ns(now, launcher_did, worth); }
};

void run(Throttle& throttle, std::uint32_t items, std::uint64_t cost, std::uint64_t limit = worth) {
    for (std::uint32_t i = 0; i < items; ++i) throttle.about_to_run(cost, limit);
}

TEST(Throttle, is_due_after_some_tiny_items_in_a_row) {
    Throttle throttle;
    run(throttle, Throttle::patience - 1, worth - 1);
    EXPECT_FALSE(throttle.is_due());
    throttle.about_to_run(worth - 1, worth);
    EXPECT_TRUE(throttle.is_due());
}

TEST(Throttle, starts_again_with_what_is_worth_it_or_not_known) {
    for (const std::uint64_t cost : {worth, std::uint64_t{0}}) {
        Throttle throttle;
        run(throttle, Throttle::patience - 1, 1);
        throttle.about_to_run(cost, worth);
        run(throttle, Throttle::patience - 1, 1);
        EXPECT_FALSE(throttle.is_due()) << cost;
    }
}

TEST(Throttle, is_never_due_between_near_cores) {
    Throttle throttle;
    run(throttle, 1000, 1, 0);
    EXPECT_FALSE(throttle.is_due());
}

TEST(Throttle, waits_ever_longer_while_the_launching_thread_works) {
    Scene scene;
    (void)scene.wait();  // from now on it knows what the launching thread does
    run(scene.throttle, Throttle::patience, 1);
    std::uint64_t expected = Throttle::wait_min_ns;
    for (int i = 0; i < 12; ++i) {
        scene.pass(10'000, 1);
        EXPECT_EQ(scene.wait(), expected);
        scene.throttle.about_to_run(1, worth);
        EXPECT_TRUE(scene.throttle.is_due()) << "after one more item it waits again";
        expected = std::min(2 * expected, Throttle::wait_max_ns);
    }
    scene.throttle.about_to_run(worth, worth);
    EXPECT_FALSE(scene.throttle.is_due());
    run(scene.throttle, Throttle::patience, 1);
    scene.pass(10'000, 1);
    EXPECT_EQ(scene.wait(), Throttle::wait_min_ns) << "it met something that was worth it";
}

TEST(Throttle, does_not_wait_for_a_launching_thread_that_does_less_than_it_would) {
    Scene scene;
    (void)scene.wait();
    run(scene.throttle, Throttle::patience, 1);
    scene.pass(10'000, 1);
    EXPECT_GT(scene.wait(), 0U);
    scene.now += 100'000;  // it computes something itself
    EXPECT_EQ(scene.wait(), 0U);
    EXPECT_FALSE(scene.throttle.is_due()) << "so it runs some before it asks again";
    run(scene.throttle, Throttle::patience, 1);
    scene.now += 100'000;
    scene.launcher_did += 49;  // one in 2041 ticks
    EXPECT_EQ(scene.wait(), 0U);
    run(scene.throttle, Throttle::patience, 1);
    scene.now += 100'000;
    scene.launcher_did += 50;
    EXPECT_EQ(scene.wait(), Throttle::wait_min_ns);
}

}  // namespace
}  // namespace refrain::graph::throttle_test
