#include "graph/node.hpp"

#include "base/assertion.hpp"
#include "graph/finish.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <random>

namespace refrain::graph::node_test {
namespace {

TEST(PointMask, count_points_equals_popcount) {
    for (std::uint32_t mask = 0; mask < 256; ++mask)
        EXPECT_EQ(count_points(mask), static_cast<std::uint32_t>(std::popcount(mask))) << mask;
}

TEST(Node, zero_counts_and_nonzero_counts_classify_each_byte) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 100'000; ++round) {
        std::uint64_t counts = 0;
        std::uint32_t zero = 0;
        for (unsigned point = 0; point < 8; ++point) {
            const std::uint64_t count = random() % 3 == 0 ? 0 : random() % 128;
            counts |= count << 8 * point;
            zero |= count == 0 ? 1U << point : 0;
        }
        ASSERT_EQ(zero_counts(counts), zero) << std::hex << counts;
        ASSERT_EQ(nonzero_counts(counts), zero ^ 0xffU) << std::hex << counts;
    }
}

TEST(Node, the_largest_in_degree_plus_the_launch_unit_fits_a_byte) {
    const std::uint64_t full = packed_in_degree_max * unit_counts(8) + unit_counts(8);
    EXPECT_EQ(zero_counts(full), 0U);
    EXPECT_EQ(nonzero_counts(full), 0xffU);
}

TEST(Node, ready_points_pack_bundle_and_mask_into_one_word) {
    Bundle bundle;
    const ReadyPoints ready(&bundle, 0b1010'0001);
    EXPECT_EQ(&ready.bundle(), &bundle);
    EXPECT_EQ(ready.points(), 0b1010'0001U);
    EXPECT_EQ(&ReadyPoints(ready.word()).bundle(), &bundle);
    EXPECT_FALSE(ReadyPoints());
}

TEST(Node, bundle_state_keeps_list_and_point_bits_apart) {
    Edge edge;
    const std::uint64_t points = 0x8142;
    const std::uint64_t state = BundleState::with_first_edge(points, &edge);
    EXPECT_EQ(BundleState::first_edge(state), &edge);
    EXPECT_EQ(BundleState::done(state), 0x42U);
    EXPECT_EQ(BundleState::failed(state), 0x81U);
    EXPECT_EQ(BundleState::with_first_edge(state, nullptr), points);
}

TEST(Node, points_are_divided_into_bundles_of_eight) {
    Node node;
    node.point_count = 19;
    std::vector<Bundle> bundles(3);
    prepare_bundles(node, bundles.data());
    EXPECT_EQ(node.bundle_count, 3U);
    EXPECT_EQ(bundles[2].first_point, 16U);
    EXPECT_EQ(bundles[2].point_count, 3U);
    EXPECT_EQ(bundles[0].unfinished_bundles.load(std::memory_order_relaxed), 3U);
    EXPECT_FALSE(node.is_finished());
}

TEST(Node, a_node_without_points_is_an_internal_error) {
    base::throw_on_internal_failure = true;
    Node node;
    EXPECT_THROW(prepare_bundles(node, nullptr), base::InternalError);
    base::throw_on_internal_failure = false;
}

TEST(Node, a_failed_point_without_a_cause_is_an_internal_error) {
    base::throw_on_internal_failure = true;
    Node node;
    node.point_count = 1;
    Bundle bundle;
    prepare_bundles(node, &bundle);
    EXPECT_THROW(finish(bundle, 1, 1, [](ReadyPoints) {}), base::InternalError);
    base::throw_on_internal_failure = false;
}

}  // namespace
}  // namespace refrain::graph::node_test
