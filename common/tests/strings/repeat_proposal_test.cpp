#include "strings/repeat_proposal.hpp"

#include <gtest/gtest.h>

namespace refrain::strings::repeat_proposal_test {
namespace {

TEST(RepeatProposal, of_suffixes_far_apart_is_their_common_prefix) {
    EXPECT_EQ(propose_repeat(7, 0, 2), (RepeatProposal{0, 7, 2}));
    EXPECT_EQ(propose_repeat(0, 3, 3), (RepeatProposal{0, 3, 3})) << "touching is not overlapping";
}

TEST(RepeatProposal, of_overlapping_suffixes_is_whole_periods_side_by_side) {
    EXPECT_EQ(propose_repeat(0, 2, 7), (RepeatProposal{0, 4, 4}));  // nine symbols of period 2
    EXPECT_EQ(propose_repeat(5, 4, 6), (RepeatProposal{4, 7, 3}));  // seven symbols of period 1
    EXPECT_EQ(propose_repeat(2, 4, 3), (RepeatProposal{2, 4, 2}));  // five symbols of period 2
}

TEST(RepeatProposal, does_not_depend_on_the_order_of_the_suffixes) {
    for (Index distance = 1; distance <= 20; ++distance) {
        for (Index common = 0; common <= 60; ++common) {
            EXPECT_EQ(propose_repeat(3, 3 + distance, common),
                      propose_repeat(3 + distance, 3, common));
        }
    }
}

TEST(RepeatProposal, is_disjoint_inside_the_run_and_the_largest_whole_number_of_periods) {
    for (Index distance = 1; distance <= 20; ++distance) {
        for (Index common = distance + 1; common <= 100; ++common) {
            const RepeatProposal proposal = propose_repeat(0, distance, common);
            EXPECT_EQ(proposal.length % distance, 0);
            EXPECT_EQ(proposal.second, proposal.length);
            EXPECT_LE(2 * proposal.length, distance + common);
            EXPECT_GT(2 * (proposal.length + distance), distance + common);
        }
    }
}

TEST(RepeatProposal, does_not_overflow_at_the_longest_sequences) {
    const Index n = sequence_length_max;
    EXPECT_EQ(propose_repeat(0, 1, n - 1), (RepeatProposal{0, n / 2, n / 2}));
    EXPECT_EQ(propose_repeat(n - 1, 0, 1), (RepeatProposal{0, n - 1, 1}));
}

}  // namespace
}  // namespace refrain::strings::repeat_proposal_test
