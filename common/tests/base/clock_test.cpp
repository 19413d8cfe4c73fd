#include "base/clock.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace refrain::base::clock_test {
namespace {

TEST(Clock, ticks_never_go_back_on_a_thread) {
    std::uint64_t last = ticks();
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t now = ticks();
        ASSERT_GE(now, last);
        last = now;
    }
}

TEST(Clock, ticks_agree_with_the_steady_clock) {
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t begin_ticks = ticks();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::uint64_t end_ticks = ticks();
    const std::chrono::duration<double, std::nano> steady =
        std::chrono::steady_clock::now() - begin;
    // The span of ticks lies within that of the steady clock; preemption can only make the latter
    // longer.
    EXPECT_GE(steady.count(), ticks_to_ns(end_ticks - begin_ticks) * 0.99);
    EXPECT_GE(ticks_to_ns(end_ticks - begin_ticks), 20e6 * 0.99);
}

TEST(Clock, repeated_calibrations_agree) {
    const double first = ns_per_tick();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_NEAR(ns_per_tick() / first, 1.0, 0.01);
}

}  // namespace
}  // namespace refrain::base::clock_test
