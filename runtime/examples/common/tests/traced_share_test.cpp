#include "common/traced_share.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace example::traced_share_test {
namespace {

using Samples = std::vector<refrain::ProgressSample>;

/// A sample every 100 operations: nothing replayed up to `start`, everything from there on.
Samples starts_at(std::uint64_t start, std::uint64_t end) {
    Samples samples;
    for (std::uint64_t at = 100; at <= end; at += 100)
        samples.push_back({at, at > start ? at - start : 0});
    return samples;
}

TEST(TracedShare, is_read_between_samples_by_interpolation) {
    const Samples samples{{100, 0}, {200, 80}, {300, 180}};
    EXPECT_DOUBLE_EQ(replayed_before(samples, 50), 0);
    EXPECT_DOUBLE_EQ(replayed_before(samples, 150), 40);
    EXPECT_DOUBLE_EQ(replayed_before(samples, 200), 80);
    EXPECT_DOUBLE_EQ(replayed_before(samples, 300), 180);
    EXPECT_DOUBLE_EQ(replayed_before(samples, 400), 180);
    EXPECT_DOUBLE_EQ(replayed_before({}, 400), 0);
}

TEST(TracedShare, looks_back_on_the_window_and_at_first_on_all_there_was) {
    const auto curve = traced_share(starts_at(1000, 3000), 500);
    ASSERT_EQ(curve.size(), 31U);
    EXPECT_DOUBLE_EQ(curve[2].share, 0);
    EXPECT_DOUBLE_EQ(curve[10].share, 0);
    EXPECT_DOUBLE_EQ(curve[12].share, 0.4);  // 200 of the 500 up to operation 1200
    EXPECT_DOUBLE_EQ(curve[15].share, 1);
    EXPECT_DOUBLE_EQ(curve[30].share, 1);
    EXPECT_DOUBLE_EQ(curve[30].operations, 3000);
}

TEST(TracedShare, is_steady_from_where_windows_are_replayed) {
    const auto steady = steady_from(starts_at(1000, 10000), 500);
    ASSERT_TRUE(steady.has_value());
    EXPECT_DOUBLE_EQ(*steady, 1000);
}

TEST(TracedShare, is_not_steady_before_a_later_gap) {
    Samples samples = starts_at(1000, 10000);
    for (refrain::ProgressSample& s : samples)
        if (s.operations > 5000) s.replayed -= 100;  // one hundred are not replayed
    const auto steady = steady_from(samples, 500);
    ASSERT_TRUE(steady.has_value());
    EXPECT_DOUBLE_EQ(*steady, 5100);
}

TEST(TracedShare, is_steady_after_what_was_not_replayed_in_the_interval_where_it_begins) {
    Samples samples;
    for (std::uint64_t at = 64; at <= 64000; at += 64) samples.push_back({at, at - 3});
    EXPECT_DOUBLE_EQ(steady_from(samples, 5000).value(), 3);
    for (refrain::ProgressSample& s : samples)
        s.replayed = s.operations < 6500 ? 0 : s.replayed - 6497;
    EXPECT_NEAR(steady_from(samples, 5000).value(), 6500, 16);
}

TEST(TracedShare, is_never_steady_without_replays_or_without_samples) {
    EXPECT_FALSE(steady_from(starts_at(20000, 10000), 500).has_value());
    EXPECT_FALSE(steady_from({}, 500).has_value());
}

TEST(TracedShare, of_a_short_run_is_looked_at_through_a_quarter_of_it) {
    const auto steady = steady_from(starts_at(200, 2000), 5000);
    ASSERT_TRUE(steady.has_value());
    EXPECT_DOUBLE_EQ(*steady, 200);
}

TEST(LateOperations, are_those_of_the_second_half) {
    const Samples samples{{100, 0, 9.0}, {200, 0, 10.0}, {300, 90, 10.2}, {400, 180, 10.4}};
    EXPECT_DOUBLE_EQ(seconds_per_late_operation(samples).value(), 0.4 / 200);
    EXPECT_FALSE(seconds_per_late_operation(Samples{{100, 0, 9.0}}).has_value());
}

}  // namespace
}  // namespace example::traced_share_test
