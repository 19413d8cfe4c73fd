#include "recorder/selection.hpp"

#include <gtest/gtest.h>
#include <string>

namespace refrain::proxy::selection_test {
namespace {

TEST(Selection, lies_between_two_points) {
    Selection calls(read_run_point("3"), read_run_point("5"));
    std::string on;
    for (std::uint64_t call = 1; call <= 6; ++call) {
        calls.pass(call, 0);
        on += calls.is_on() ? '+' : '-';
    }
    EXPECT_EQ(on, "--++--");
    Selection seconds(std::nullopt, read_run_point("1s"));
    seconds.pass(1, 0.5);
    EXPECT_TRUE(seconds.is_on());
    seconds.pass(2, 1.0);
    EXPECT_FALSE(seconds.is_on());
}

TEST(Selection, pauses_where_the_program_says_so) {
    Selection all;
    all.control(0);
    EXPECT_FALSE(all.is_on());
    all.control(1);
    EXPECT_TRUE(all.is_on());
    Selection told(read_run_point("pcontrol"), std::nullopt);
    told.pass(1, 0);
    EXPECT_FALSE(told.is_on());
    told.control(1);
    EXPECT_TRUE(told.is_on());
}

}  // namespace
}  // namespace refrain::proxy::selection_test
