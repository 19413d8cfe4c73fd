#include "runtime/lane_plans.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace refrain::runtime::lane_plans_test {
namespace {

constexpr std::size_t much = std::size_t{1} << 30;

/// Programs of many loops that never go into lanes, each with plans of its own.
TEST(LanePlans, are_those_of_one_loop) {
    analysis::PatternTable patterns;
    LanePlans plans(patterns, 2, much);
    const analysis::PatternId pattern = patterns.complete(4, 4);
    std::size_t bytes_max = 0;
    for (std::uint32_t loop = 1; loop <= 1000; ++loop) {
        plans.begin_loop(loop);
        for (std::uint32_t launch = 0; launch < 10; ++launch) {
            const analysis::Source source{
                .distance = 10 * loop + launch, .pattern = pattern, .carries_data = true};
            static_cast<void>(plans.of(std::span(&source, 1), 4));
        }
        EXPECT_FALSE(plans.begin_loop(loop)) << "the same loop goes on";
        if (loop == 10) bytes_max = plans.bytes();
    }
    EXPECT_LE(plans.bytes(), bytes_max);
}

/// However many loops have one length.
TEST(LanePlans, keep_to_their_memory) {
    analysis::PatternTable patterns;
    constexpr std::size_t bytes_max = std::size_t{1} << 16;
    LanePlans plans(patterns, 64, bytes_max);
    const analysis::PatternId pattern = patterns.complete(64, 64);
    std::size_t peak = 0;
    int cleared = 0;
    for (std::uint32_t distance = 1; distance <= 200; ++distance) {
        cleared += plans.begin_loop(7) ? 1 : 0;
        const analysis::Source source{
            .distance = distance, .pattern = pattern, .carries_data = true};
        static_cast<void>(plans.of(std::span(&source, 1), 64));
        peak = std::max(peak, plans.bytes());
    }
    EXPECT_LE(peak, 2 * bytes_max) << "a plan of 64 lanes takes up to 35 KiB";
    EXPECT_GT(cleared, 10);
}

}  // namespace
}  // namespace refrain::runtime::lane_plans_test
