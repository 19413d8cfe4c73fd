#include "graph/steal_cost.hpp"

#include <gtest/gtest.h>
#include <initializer_list>

namespace refrain::graph::steal_cost_test {
namespace {

std::uint64_t last_answer(StealProbe& probe, std::initializer_list<std::uint64_t> samples) {
    std::uint64_t answer = 0;
    for (const std::uint64_t ticks : samples) {
        EXPECT_EQ(answer, 0U) << "before the eighth";
        answer = probe.add(ticks);
    }
    return answer;
}

TEST(StealProbe, returns_the_second_smallest_of_every_eight) {
    StealProbe probe;
    EXPECT_EQ(last_answer(probe, {700, 300, 90'000, 500, 310, 800, 40, 600}), 300U);
    EXPECT_EQ(last_answer(probe, {900, 901, 902, 903, 904, 905, 906, 907}), 901U)
        << "earlier samples are forgotten";
    EXPECT_EQ(last_answer(probe, {2, 1, 3, 3, 3, 3, 3, 3}), 2U);
    EXPECT_EQ(last_answer(probe, {5, 5, 5, 5, 5, 5, 5, 5}), 5U);
}

TEST(StealCost, between_near_cores_every_steal_is_profitable) {
    StealCost cost;
    EXPECT_EQ(cost.limits().profitable, 0U) << "nothing was stolen yet";
    const std::uint64_t microsecond = cost.limits().split;
    EXPECT_EQ(microsecond, base::ns_to_ticks(1000));
    cost.revise(base::ns_to_ticks(45));
    EXPECT_EQ(cost.limits().profitable, 0U);
    EXPECT_EQ(cost.limits().split, microsecond);
}

TEST(StealCost, between_far_cores_thresholds_are_multiples_of_a_steal) {
    StealCost cost;
    const std::uint64_t ticks = base::ns_to_ticks(250);
    cost.revise(ticks);
    EXPECT_EQ(cost.limits().profitable, SharingLimits::profit_factor * ticks);
    EXPECT_EQ(cost.limits().split, SharingLimits::split_factor * ticks);
}

TEST(StealCost, an_overloaded_machine_raises_thresholds_to_a_bound) {
    StealCost cost;
    for (int i = 0; i < 100; ++i) cost.revise(base::ns_to_ticks(5'000'000));
    EXPECT_LE(cost.limits().profitable, base::ns_to_ticks(10'000));
    EXPECT_LE(cost.limits().split, base::ns_to_ticks(20'000));
}

TEST(StealCost, follows_a_machine_that_moves_its_cores) {
    StealCost cost;
    cost.revise(base::ns_to_ticks(300));
    EXPECT_GT(cost.limits().profitable, 0U);
    for (int i = 0; i < 10; ++i) cost.revise(base::ns_to_ticks(40));
    EXPECT_EQ(cost.limits().profitable, 0U);
    for (int i = 0; i < 10; ++i) cost.revise(base::ns_to_ticks(300));
    EXPECT_GT(cost.limits().profitable, 0U);
}

}  // namespace
}  // namespace refrain::graph::steal_cost_test
