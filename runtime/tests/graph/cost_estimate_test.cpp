#include "graph/cost_estimate.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::cost_estimate_test {
namespace {

TEST(CostEstimate, matches_the_examples_in_its_comment) {
    EXPECT_EQ(revised_cost(0, 800), 800U);
    EXPECT_EQ(revised_cost(800, 900), 800U);
    EXPECT_EQ(revised_cost(800, 700), 800U);
    EXPECT_EQ(revised_cost(800, 500), 650U);
    EXPECT_EQ(revised_cost(800, 90'000), 1600U);
}

TEST(CostEstimate, a_cold_first_measurement_is_forgotten_within_twelve) {
    std::uint32_t estimate = revised_cost(0, 100'000);
    int measurements = 0;
    while (estimate > 130 && measurements < 100) {
        estimate = revised_cost(estimate, 100);
        ++measurements;
    }
    EXPECT_LE(measurements, 12);
}

TEST(CostEstimate, converges_to_within_a_quarter_of_the_measurements) {
    for (const std::uint32_t start : {1U, 40U, 1'000U, 1U << 31})
        for (const std::uint64_t cost : {1U, 7U, 100U, 123'456U}) {
            std::uint32_t estimate = start;
            for (int i = 0; i < 64; ++i) estimate = revised_cost(estimate, cost);
            EXPECT_NEAR(estimate, static_cast<double>(cost), 1 + 0.34 * static_cast<double>(cost));
            EXPECT_EQ(revised_cost(estimate, cost), estimate) << "the estimate is stable";
        }
}

TEST(CostEstimate, is_never_zero_and_never_overflows) {
    EXPECT_EQ(revised_cost(0, 0), 1U);
    EXPECT_EQ(revised_cost(1, 0), 1U);
    EXPECT_EQ(revised_cost(0, ~std::uint64_t{0}), 1U << 31);
    EXPECT_EQ(revised_cost(1U << 31, ~std::uint64_t{0}), 1U << 31);
}

}  // namespace
}  // namespace refrain::graph::cost_estimate_test
