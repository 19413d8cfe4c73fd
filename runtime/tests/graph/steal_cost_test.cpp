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

TEST(StealLatency, is_the_shortest_until_eight_are_known) {
    StealLatency latency(150);
    EXPECT_EQ(latency.ticks(), 150U) << "assumed";
    EXPECT_TRUE(latency.add(900));
    EXPECT_EQ(latency.ticks(), 900U);
    EXPECT_TRUE(latency.add(300));
    EXPECT_EQ(latency.ticks(), 300U) << "one long steal does not end sharing, and with it steals";
    EXPECT_FALSE(latency.add(700));
    for (int i = 0; i < 4; ++i) (void)latency.add(250);
    EXPECT_EQ(latency.ticks(), 250U);
    (void)latency.add(400);
    EXPECT_EQ(latency.ticks(), 250U) << "the second smallest of eight";
}

TEST(StealLatency, rises_slowly_since_contention_is_no_reason_to_steal_less) {
    StealLatency latency(150);
    (void)latency.add(100);
    const auto probe = [&](std::uint64_t ticks) {
        for (int i = 0; i < 8; ++i) (void)latency.add(ticks);
    };
    probe(100);
    for (int i = 0; i < 4; ++i) probe(5'000);
    EXPECT_LT(latency.ticks(), 130U);
    for (int i = 0; i < 200; ++i) probe(400);
    EXPECT_EQ(latency.ticks(), 400U) << "the machine has moved its cores";
}

TEST(StealLatency, believes_no_steal_that_was_interrupted) {
    StealLatency latency(150, 1'000);
    for (int i = 0; i < 8; ++i) (void)latency.add(10'000'000);
    EXPECT_EQ(latency.ticks(), 1'000U);
}

TEST(StealCost, assumes_a_latency_until_a_worker_has_stolen) {
    StealCost cost;
    EXPECT_FALSE(cost.is_measured());
    EXPECT_EQ(cost.ticks(), base::ns_to_ticks(StealCost::steal_ns_assumed));
    cost.revise(1'000);
    EXPECT_TRUE(cost.is_measured());
    EXPECT_EQ(cost.ticks(), 1'000U);
    cost.revise(1'200);
    EXPECT_EQ(cost.ticks(), 1'000U) << "within a quarter: its line stays shared";
    cost.revise(1'400);
    EXPECT_EQ(cost.ticks(), 1'400U);
}

TEST(StealCost, is_bounded_on_an_overloaded_machine) {
    StealCost cost;
    cost.revise(base::ns_to_ticks(5'000'000));
    EXPECT_EQ(cost.ticks(), base::ns_to_ticks(StealCost::steal_ns_max));
}

}  // namespace
}  // namespace refrain::graph::steal_cost_test
