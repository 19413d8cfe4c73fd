#include "autotrace/inner_loops.hpp"

#include <gtest/gtest.h>

namespace refrain::autotrace::detail::inner_loops_test {
namespace {

/// Returns how many inner loops were preferred.
std::uint64_t find_all(InnerLoops& loops) {
    std::uint64_t count = 0;
    for (; loops.are_preferred(); ++count) loops.found();
    return count;
}

TEST(InnerLoops, are_preferred_after_an_outer_loop_has_ended_within_its_first_turn) {
    InnerLoops loops;
    EXPECT_FALSE(loops.are_preferred());
    loops.outer_ended();
    EXPECT_EQ(find_all(loops), InnerLoops::turns_min);
}

TEST(InnerLoops, are_preferred_twice_as_often_each_time_until_an_outer_loop_lasts) {
    InnerLoops loops;
    for (std::uint64_t turns = InnerLoops::turns_min; turns <= InnerLoops::turns_max; turns *= 2) {
        loops.outer_ended();
        EXPECT_EQ(find_all(loops), turns);
    }
    loops.outer_ended();
    EXPECT_EQ(find_all(loops), InnerLoops::turns_max);
    loops.outer_ended();
    loops.outer_lasted();
    EXPECT_FALSE(loops.are_preferred());
    loops.outer_ended();
    EXPECT_EQ(find_all(loops), InnerLoops::turns_min);
}

TEST(InnerLoops, are_looked_for_ever_less_often_where_there_are_none) {
    InnerLoops loops;
    std::uint64_t ended = 0, looked = 0;
    for (; ended < 1000; ++ended) {
        loops.outer_ended();
        if (!loops.are_preferred()) continue;
        ++looked;
        loops.missed();
        EXPECT_FALSE(loops.are_preferred());
    }
    EXPECT_EQ(looked, 9U);
}

TEST(InnerLoops, stay_preferred_where_every_other_one_is_missed) {
    InnerLoops loops;
    loops.outer_ended();
    for (int i = 0; i < 20; ++i) {
        loops.found();
        loops.missed();
        EXPECT_TRUE(loops.are_preferred());
    }
    loops.missed();
    EXPECT_FALSE(loops.are_preferred());
}

}  // namespace
}  // namespace refrain::autotrace::detail::inner_loops_test
