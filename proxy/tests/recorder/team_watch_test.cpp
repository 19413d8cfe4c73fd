#include "recorder/team_watch.hpp"

#include <gtest/gtest.h>

namespace refrain::proxy::team_watch_test {
namespace {

using State = TeamWatch::State;

Counts instructions(std::uint64_t count) {
    return {count};
}

TEST(TeamWatch, tells_work_in_a_region_from_waiting_around_it) {
    TeamWatch watch;
    watch.go_to(State::waiting, instructions(100));
    watch.go_to(State::working, instructions(180));
    watch.go_to(State::waiting, instructions(980));
    watch.go_to(State::outside, instructions(990));
    EXPECT_EQ(watch.take_worked()[0], 800u);
    EXPECT_EQ(watch.take_waited()[0], 90u);
    EXPECT_EQ(watch.take_worked()[0], 0u) << "it was taken";
}

TEST(TeamWatch, adds_up_what_lies_between_barriers_and_leaves_out_what_is_outside) {
    TeamWatch watch;
    watch.go_to(State::working, instructions(10));
    watch.go_to(State::waiting, instructions(30));   // a barrier
    watch.go_to(State::working, instructions(530));  // the others came
    watch.go_to(State::outside, instructions(535));
    watch.go_to(State::working, instructions(9000));
    watch.go_to(State::outside, instructions(9001));
    EXPECT_EQ(watch.take_worked()[0], 20u + 5 + 1);
    EXPECT_EQ(watch.take_waited()[0], 500u);
}

TEST(TeamWatch, counts_what_reading_costs_as_waiting) {
    TeamWatch watch;
    const Counts cost = instructions(7);
    watch.go_to(State::working, instructions(0), cost);
    watch.go_to(State::working, instructions(100), cost);
    watch.go_to(State::outside, instructions(104), cost);
    EXPECT_EQ(watch.take_worked()[0], 93u) << "less than the cost is no work";
    EXPECT_EQ(watch.take_waited()[0], 7u + 4);
}

}  // namespace
}  // namespace refrain::proxy::team_watch_test
