#include "strings/ruler_sequence.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace refrain::strings::ruler_sequence_test {
namespace {

TEST(RulerSequence, is_the_exponent_of_two) {
    std::vector<unsigned> first;
    for (std::uint64_t step = 1; step <= 16; ++step) first.push_back(ruler(step));
    EXPECT_EQ(first, (std::vector<unsigned>{0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0, 4}));
}

// Figure 5 of the paper: a history of eight units is searched as 1, 2, 1, 4, 1, 2, 1, 8.
TEST(SliceLength, follows_figure_5_of_the_paper) {
    for (const std::size_t factor : {1, 250}) {
        std::vector<std::size_t> slices;
        for (std::uint64_t step = 1; step <= 8; ++step) {
            slices.push_back(slice_length(step, {factor, 8 * factor}) / factor);
        }
        EXPECT_EQ(slices, (std::vector<std::size_t>{1, 2, 1, 4, 1, 2, 1, 8})) << factor;
    }
}

TEST(SliceLength, never_exceeds_the_history) {
    EXPECT_EQ(slice_length(8, {100, 799}), 799u);
    EXPECT_EQ(slice_length(8, {100, 800}), 800u);
    EXPECT_EQ(slice_length(8, {100, 801}), 800u);
    EXPECT_EQ(slice_length(16, {100, 800}), 800u);
    EXPECT_EQ(slice_length(1, {100, 60}), 60u);
}

TEST(SliceLength, does_not_overflow_at_the_largest_steps) {
    const std::size_t max = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(slice_length(std::uint64_t{1} << 63, {100, 1 << 20}), std::size_t{1} << 20);
    EXPECT_EQ(slice_length(std::uint64_t{1} << 63, {1, max}), std::size_t{1} << 63);
    EXPECT_EQ(slice_length(std::uint64_t{1} << 63, {3, max}), max);
}

TEST(SliceLength, never_exceeds_the_tokens_so_far) {
    for (std::uint64_t step = 1; step <= 4096; ++step) {
        EXPECT_LE(slice_length(step, {10, std::size_t{1} << 30}), step * 10);
    }
}

TEST(SliceLength, searches_each_token_a_logarithmic_number_of_times) {
    std::size_t searched = 0;
    for (std::uint64_t step = 1; step <= 1024; ++step) searched += slice_length(step, {10, 10240});
    EXPECT_EQ(searched, 10u * (10 * 1024 / 2 + 1024));  // factor * (log2(N) N / 2 + N), N = 1024
}

}  // namespace
}  // namespace refrain::strings::ruler_sequence_test
