#include "runtime/lane_plans.hpp"

#include <gtest/gtest.h>

namespace refrain::runtime::lane_plans_test {
namespace {

/// Programs of many loops that never go into lanes, each with plans of its own.
TEST(LanePlans, are_those_of_one_loop) {
    analysis::PatternTable patterns;
    LanePlans plans(patterns, 2);
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

}  // namespace
}  // namespace refrain::runtime::lane_plans_test
