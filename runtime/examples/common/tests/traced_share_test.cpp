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

TEST(TracedShare, values_between_samples_are_interpolated) {
    const Samples samples{{100, 0}, {200, 80}, {300, 180}};
    EXPECT_DOUBLE_EQ(replayed_before(samples, 50), 0);
    EXPECT_DOUBLE_EQ(replayed_before(samples, 150), 40);
    EXPECT_DOUBLE_EQ(replayed_before(samples, 200), 80);
    EXPECT_DOUBLE_EQ(replayed_before(samples, 300), 180);
    EXPECT_DOUBLE_EQ(replayed_before(samples, 400), 180);
    EXPECT_DOUBLE_EQ(replayed_before({}, 400), 0);
}

TEST(TracedShare, the_share_covers_the_window_or_all_operations_if_fewer) {
    const auto curve = traced_share(starts_at(1000, 3000), 500);
    ASSERT_EQ(curve.size(), 31U);
    EXPECT_DOUBLE_EQ(curve[2].share, 0);
    EXPECT_DOUBLE_EQ(curve[10].share, 0);
    EXPECT_DOUBLE_EQ(curve[12].share, 0.4);  // 200 of the 500 up to operation 1200
    EXPECT_DOUBLE_EQ(curve[15].share, 1);
    EXPECT_DOUBLE_EQ(curve[30].share, 1);
    EXPECT_DOUBLE_EQ(curve[30].operations, 3000);
}

TEST(TracedShare, the_steady_state_begins_where_windows_are_replayed) {
    const auto steady = steady_from(starts_at(1000, 10000), 500);
    ASSERT_TRUE(steady.has_value());
    EXPECT_DOUBLE_EQ(*steady, 1000);
}

TEST(TracedShare, the_steady_state_begins_after_the_last_gap) {
    Samples samples = starts_at(1000, 10000);
    for (refrain::ProgressSample& s : samples)
        if (s.operations > 5000) s.replayed -= 100;  // one hundred are not replayed
    const auto steady = steady_from(samples, 500);
    ASSERT_TRUE(steady.has_value());
    EXPECT_DOUBLE_EQ(*steady, 5100);
}

TEST(TracedShare, the_steady_state_begins_after_the_unreplayed_operations_of_its_first_interval) {
    Samples samples;
    for (std::uint64_t at = 64; at <= 64000; at += 64) samples.push_back({at, at - 3});
    EXPECT_DOUBLE_EQ(steady_from(samples, 5000).value(), 3);
    for (refrain::ProgressSample& s : samples)
        s.replayed = s.operations < 6500 ? 0 : s.replayed - 6497;
    EXPECT_NEAR(steady_from(samples, 5000).value(), 6500, 16);
}

TEST(TracedShare, there_is_no_steady_state_without_replays_or_samples) {
    EXPECT_FALSE(steady_from(starts_at(20000, 10000), 500).has_value());
    EXPECT_FALSE(steady_from({}, 500).has_value());
}

TEST(TracedShare, the_window_of_a_short_run_is_a_quarter_of_it) {
    const auto steady = steady_from(starts_at(200, 2000), 5000);
    ASSERT_TRUE(steady.has_value());
    EXPECT_DOUBLE_EQ(*steady, 200);
}

TEST(LateOperations, only_the_second_half_counts) {
    const Samples samples{{100, 0, 9.0}, {200, 0, 10.0}, {300, 90, 10.2}, {400, 180, 10.4}};
    EXPECT_DOUBLE_EQ(seconds_per_late_operation(samples).value(), 0.4 / 200);
    EXPECT_FALSE(seconds_per_late_operation(Samples{{100, 0, 9.0}}).has_value());
}

}  // namespace
}  // namespace example::traced_share_test
