#include "verify/time_verdict.hpp"

#include <gtest/gtest.h>

namespace refrain::proxy::time_verdict_test {
namespace {

TEST(TimeVerdict, a_proxy_that_takes_a_tenth_longer_is_seen) {
    const TimeVerdict found =
        compare_times({1.0, 1.01, 0.99, 1.0, 1.02}, {1.1, 1.11, 1.09, 1.1, 1.12});
    EXPECT_NEAR(found.ratio, 1.1, 1e-9);
    EXPECT_GT(found.low, 1.05);
    EXPECT_LT(found.high, 1.15);
    EXPECT_TRUE(found.exists());
}

TEST(TimeVerdict, the_interval_holds_one_where_both_are_drawn_from_the_same_times) {
    const TimeVerdict found =
        compare_times({1.0, 1.02, 0.98, 1.03, 0.97}, {1.03, 0.97, 1.0, 1.02, 0.98});
    EXPECT_LE(found.low, 1.0);
    EXPECT_GE(found.high, 1.0);
}

TEST(TimeVerdict, an_original_that_varies_by_more_than_a_twentieth_gives_none) {
    EXPECT_FALSE(compare_times({1.0, 1.2, 0.9}, {1.0, 1.0, 1.0}).exists());
    EXPECT_TRUE(compare_times({1.0, 1.04, 0.98}, {1.0, 2.0, 0.1}).exists());
}

TEST(TimeVerdict, times_of_0_give_none_instead_of_a_ratio_that_is_no_number) {
    for (const TimeVerdict& found :
         {compare_times({0, 0, 0}, {0, 0, 0}), compare_times({0, 1}, {1, 1})}) {
        EXPECT_FALSE(found.exists());
        EXPECT_FALSE(found.measured);
        EXPECT_EQ(found.ratio, 0);
    }
}

TEST(TimeVerdict, the_same_times_give_the_same_interval) {
    const std::vector<double> original{1.0, 1.1, 1.2}, proxy{1.0, 1.3, 1.1};
    EXPECT_EQ(compare_times(original, proxy).low, compare_times(original, proxy).low);
    EXPECT_DOUBLE_EQ(compare_times({2.0}, {3.0}).high, 1.5);
}

}  // namespace
}  // namespace refrain::proxy::time_verdict_test
