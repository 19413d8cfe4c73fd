#include "graph/cost_estimate.hpp"

#include "graph/cost_table.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::cost_estimate_test {
namespace {

std::uint32_t revised(std::uint32_t estimate, std::uint64_t measured) {
    return CostEstimate(estimate).after(measured).ticks();
}

TEST(CostEstimate, matches_the_examples_in_its_comment) {
    EXPECT_EQ(CostEstimate().after(800).ticks(), 800U);
    EXPECT_EQ(revised(800, 900), 800U);
    EXPECT_EQ(revised(800, 700), 800U);
    EXPECT_EQ(revised(800, 500), 650U);
    EXPECT_EQ(revised(800, 5'000), 1600U);
    const CostEstimate doubted = CostEstimate(800).after(90'000);
    EXPECT_EQ(doubted.ticks(), 90'000U);
    EXPECT_TRUE(doubted.is_in_doubt());
    EXPECT_EQ(doubted.after(80'000), CostEstimate(90'000));
    EXPECT_EQ(doubted.after(820), CostEstimate(800));
}

TEST(CostEstimate, believes_at_once_that_a_task_has_grown_and_keeps_to_it) {
    CostEstimate estimate(100);
    estimate = estimate.after(12'000'000);
    EXPECT_EQ(estimate.ticks(), 12'000'000U);
    for (int i = 0; i < 5; ++i) estimate = estimate.after(11'000'000);
    EXPECT_EQ(estimate, CostEstimate(12'000'000));
}

TEST(CostEstimate, forgets_an_interrupt_with_the_next_measurement) {
    for (const std::uint64_t interrupted : {1'000U, 30'000U, 100'000'000U}) {
        const CostEstimate estimate = CostEstimate(100).after(interrupted).after(105);
        EXPECT_EQ(estimate, CostEstimate(100)) << interrupted;
    }
}

TEST(CostEstimate, moves_half_way_when_a_task_has_grown_less_than_it_seemed) {
    const CostEstimate estimate = CostEstimate(100).after(90'000).after(2'000);
    EXPECT_EQ(estimate, CostEstimate((90'000 + 2'000) / 2));
    EXPECT_EQ(estimate.after(2'000), CostEstimate((46'000 + 2'000) / 2));
}

TEST(CostEstimate, a_cold_first_measurement_is_forgotten_within_twelve) {
    CostEstimate estimate = CostEstimate().after(100'000);
    int measurements = 0;
    while (estimate.ticks() > 130 && measurements < 100) {
        estimate = estimate.after(100);
        ++measurements;
    }
    EXPECT_LE(measurements, 12);
}

TEST(CostEstimate, converges_to_within_a_quarter_of_the_measurements) {
    for (const std::uint32_t start : {1U, 40U, 1'000U, 1U << 31})
        for (const std::uint64_t cost : {1U, 7U, 100U, 123'456U}) {
            CostEstimate estimate(start);
            for (int i = 0; i < 64; ++i) estimate = estimate.after(cost);
            EXPECT_NEAR(estimate.ticks(), static_cast<double>(cost),
                        1 + 0.34 * static_cast<double>(cost));
            EXPECT_EQ(estimate.after(cost), estimate) << "the estimate is stable";
        }
}

TEST(CostEstimate, is_never_zero_and_never_overflows) {
    EXPECT_EQ(CostEstimate().after(0).ticks(), 1U);
    EXPECT_EQ(revised(1, 0), 1U);
    EXPECT_EQ(CostEstimate().after(~std::uint64_t{0}).ticks(), 1U << 31);
    EXPECT_EQ(revised(1U << 31, ~std::uint64_t{0}), 1U << 31);
    EXPECT_EQ(revised(1, ~std::uint64_t{0}), 1U << 31);
}

TEST(CostEstimate, survives_its_packing_into_a_word) {
    for (const CostEstimate estimate :
         {CostEstimate(), CostEstimate(7), CostEstimate(7).after(1U << 31)})
        EXPECT_EQ(CostEstimate::of_word(estimate.word()), estimate);
}

/// How many of `tasks` partial results are made whole, where every `period`-th task, from the first on, is
/// dense.
int made_whole(PartialDensity& density, int tasks, int period) {
    int whole = 0;
    for (int task = 0; task < tasks; ++task) {
        if (density.is_by_chunk())
            density.add(task % period == 0);
        else
            ++whole;
    }
    return whole;
}

/// The first of 32 tasks was dense, and from then on all got whole partial results.
TEST(PartialDensity, is_decided_by_most_tasks_and_not_by_one) {
    PartialDensity skewed;
    EXPECT_LT(made_whole(skewed, 10'000, 32), 100);
    PartialDensity dense;
    EXPECT_GT(made_whole(dense, 100'000, 1), 99'700);
}

TEST(PartialDensity, is_noticed_when_it_changes) {
    PartialDensity density;
    static_cast<void>(made_whole(density, 100'000, 1));
    static_cast<void>(made_whole(density, 5'000, 1'000'000));
    EXPECT_EQ(made_whole(density, 1'000, 1'000'000), 0);
    static_cast<void>(made_whole(density, 100, 1));
    EXPECT_GT(made_whole(density, 1'000, 1), 900);
}

TEST(CostTable, keeps_costs_by_function_launch_site_and_size) {
    CostTable table;
    const CostKey key{.type = 1, .function = 2, .file = 3, .line = 4, .size_class = 5};
    TaskCost& cost = table.of(key);
    EXPECT_EQ(&table.of(key), &cost);
    CostKey other = key;
    other.function = 9;
    EXPECT_NE(&table.of(other), &cost);
    other = key;
    other.line = 9;
    EXPECT_NE(&table.of(other), &cost);
    other = key;
    other.size_class = CostKey::size_class_of(1 << 20);
    EXPECT_NE(&table.of(other), &cost);
    EXPECT_EQ(CostKey::size_class_of(1000), CostKey::size_class_of(600));
    EXPECT_NE(CostKey::size_class_of(1000), CostKey::size_class_of(2000));
    EXPECT_EQ(table.size(), 4U);
}

TEST(CostTable, is_bounded) {
    CostTable table;
    for (std::uintptr_t i = 0; i < 2 * CostTable::entries_max; ++i) {
        TaskCost& cost = table.of({.type = 1000 + i});
        cost.measured(1);
    }
    EXPECT_LE(table.size(), CostTable::entries_max + 256);
}

}  // namespace
}  // namespace refrain::graph::cost_estimate_test
