#include "streams/quality.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace streams::quality_test {
namespace {

/// Alternating counts of operations that are not replayed and that are.
std::vector<bool> turns(const std::vector<std::size_t>& counts) {
    std::vector<bool> replayed;
    bool value = false;
    for (const std::size_t count : counts) {
        replayed.insert(replayed.end(), count, value);
        value = !value;
    }
    return replayed;
}

/// The definition of steady_from, window by window.
std::optional<std::uint64_t> plain_steady_from(const std::vector<bool>& replayed,
                                               std::size_t window) {
    std::optional<std::uint64_t> steady;
    for (std::size_t begin = replayed.size() - window + 1; begin-- > 0;) {
        if (100 * count_of(replayed, begin, begin + window) < 99 * window) break;
        steady = begin;
    }
    return steady;
}

TEST(Quality, the_steady_state_begins_where_a_window_lacks_one_percent) {
    EXPECT_EQ(steady_from(turns({100, 99'900})), 50u);
    EXPECT_EQ(steady_from(turns({0, 40'000})), 0u);
}

TEST(Quality, a_later_gap_ends_a_steady_state) {
    EXPECT_EQ(steady_from(turns({100, 59'900, 51, 39'949})), 60'001u);
    EXPECT_EQ(steady_from(turns({100, 59'900, 50, 39'950})), 50u);
    EXPECT_EQ(steady_from(turns({100, 99'800, 100})), std::nullopt);
}

TEST(Quality, the_window_of_a_short_stream_is_a_quarter_of_it) {
    EXPECT_EQ(steady_from(turns({100, 300})), 99u);
    EXPECT_EQ(steady_from(turns({1, 2})), std::nullopt);
    EXPECT_EQ(steady_from({}), std::nullopt);
}

TEST(Quality, the_steady_state_agrees_with_the_plain_definition) {
    for (std::size_t first = 0; first < 60; first += 7)
        for (std::size_t hole = 0; hole < 9; ++hole)
            for (std::size_t end = 100; end < 600; end += 90) {
                const auto replayed = turns({first, 400, hole, end});
                EXPECT_EQ(steady_from(replayed, 100), plain_steady_from(replayed, 100))
                    << first << " " << hole << " " << end;
            }
}

TEST(Quality, shares_and_the_first_replay_are_counted) {
    const auto replayed = turns({3, 5, 2});
    EXPECT_EQ(first_of(replayed), 3u);
    EXPECT_DOUBLE_EQ(share_from(replayed, 0), 0.5);
    EXPECT_DOUBLE_EQ(share_from(replayed, 6), 0.5);
    EXPECT_EQ(share_from(replayed, 10), 0);
    EXPECT_EQ(first_of(turns({4})), std::nullopt);
}

}  // namespace
}  // namespace streams::quality_test
