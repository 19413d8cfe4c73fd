#include "graph/hand_over.hpp"

#include <gtest/gtest.h>
#include <initializer_list>

namespace refrain::graph::hand_over_test {
namespace {

std::uint64_t last_answer(HandOverProbe& probe, std::initializer_list<std::uint64_t> times) {
    std::uint64_t answer = 0;
    for (const std::uint64_t ticks : times) {
        EXPECT_EQ(answer, 0U) << "before the eighth";
        answer = probe.took(ticks);
    }
    return answer;
}

TEST(HandOverProbe, tells_the_second_least_of_every_eight) {
    HandOverProbe probe;
    EXPECT_EQ(last_answer(probe, {700, 300, 90'000, 500, 310, 800, 40, 600}), 300U);
    EXPECT_EQ(last_answer(probe, {900, 901, 902, 903, 904, 905, 906, 907}), 901U)
        << "what was before is forgotten";
    EXPECT_EQ(last_answer(probe, {2, 1, 3, 3, 3, 3, 3, 3}), 2U);
    EXPECT_EQ(last_answer(probe, {5, 5, 5, 5, 5, 5, 5, 5}), 5U);
}

TEST(HandOver, between_near_cores_everything_is_worth_it) {
    HandOver hand_over;
    EXPECT_EQ(hand_over.worth(), 0U) << "nobody has taken anything";
    const std::uint64_t microsecond = hand_over.split();
    EXPECT_EQ(microsecond, base::ns_to_ticks(1000));
    hand_over.revise(base::ns_to_ticks(45));
    EXPECT_EQ(hand_over.worth(), 0U);
    EXPECT_EQ(hand_over.split(), microsecond);
}

TEST(HandOver, between_far_cores_work_must_last_longer_than_the_way) {
    HandOver hand_over;
    const std::uint64_t ticks = base::ns_to_ticks(250);
    hand_over.revise(ticks);
    EXPECT_EQ(hand_over.worth(), HandOver::worth_factor * ticks);
    EXPECT_EQ(hand_over.split(), HandOver::split_factor * ticks);
}

TEST(HandOver, a_crowded_machine_does_not_make_long_work_tiny) {
    HandOver hand_over;
    for (int i = 0; i < 100; ++i) hand_over.revise(base::ns_to_ticks(5'000'000));
    EXPECT_LE(hand_over.worth(), base::ns_to_ticks(10'000));
    EXPECT_LE(hand_over.split(), base::ns_to_ticks(20'000));
}

TEST(HandOver, follows_a_machine_that_moves_its_cores) {
    HandOver hand_over;
    hand_over.revise(base::ns_to_ticks(300));
    EXPECT_GT(hand_over.worth(), 0U);
    for (int i = 0; i < 10; ++i) hand_over.revise(base::ns_to_ticks(40));
    EXPECT_EQ(hand_over.worth(), 0U);
    for (int i = 0; i < 10; ++i) hand_over.revise(base::ns_to_ticks(300));
    EXPECT_GT(hand_over.worth(), 0U);
}

}  // namespace
}  // namespace refrain::graph::hand_over_test
