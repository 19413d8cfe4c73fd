#include "graph/edge_pattern.hpp"

#include "base/assertion.hpp"
#include "graph/finish.hpp"
#include "graph/launch_program.hpp"

#include <gtest/gtest.h>
#include <map>

namespace refrain::graph::testing::edge_pattern_test {
namespace {

/// By target point: the number of chosen points of one source bundle that precede it.
using Counts = std::map<std::uint32_t, std::uint32_t>;

Counts counted_by_hand(const std::vector<Pair>& pairs, std::uint32_t source_bundle,
                       std::uint32_t chosen) {
    Counts counts;
    for (const Pair& pair : pairs)
        if (pair.source / 8 == source_bundle && (chosen >> pair.source % 8 & 1U) != 0)
            ++counts[pair.target];
    return counts;
}

/// The same, from the decrements of finishing points; `steps` counts the decrements.
Counts counted_down(const EdgePattern& pattern, std::uint32_t source_bundle, std::uint32_t chosen,
                    std::size_t* steps = nullptr) {
    Node target;
    target.point_count = pattern.target_points();
    std::vector<Bundle> bundles(bundles_for(target.point_count));
    prepare_bundles(target, bundles.data());
    Counts counts;
    for (const EdgePattern::Slice& slice : pattern.slices()) {
        if (slice.source_bundle != source_bundle) continue;
        detail::for_targets(target, slice, chosen, [&](Bundle& bundle, std::uint64_t decrement) {
            if (steps != nullptr) ++*steps;
            for (std::uint32_t point = bundle.first_point; decrement != 0; ++point, decrement >>= 8)
                if ((decrement & 0xff) != 0) counts[point] += decrement & 0xff;
        });
    }
    return counts;
}

TEST(EdgePattern, finishing_points_count_down_exactly_their_edges) {
    Random random(1);
    for (int round = 0; round < 300; ++round) {
        const auto sources = static_cast<std::uint32_t>(1 + random() % 30);
        const auto targets = static_cast<std::uint32_t>(1 + random() % 30);
        std::vector<Pair> pairs = random_pairs(random, sources, targets, 2 + round % 5);
        const EdgePattern pattern(sources, targets, pairs);
        // Targets of all source points are counted down once, not by each bundle.
        pairs.assign(pattern.edges().others().begin(), pattern.edges().others().end());
        for (std::uint32_t bundle = 0; bundle < bundles_for(sources); ++bundle) {
            const auto chosen = static_cast<std::uint32_t>(random() % 256);
            EXPECT_EQ(counted_down(pattern, bundle, chosen),
                      counted_by_hand(pairs, bundle, chosen));
        }
    }
}

TEST(EdgePattern, pairs_may_be_unsorted_and_repeated) {
    const EdgePattern pattern(3, 3, {{2, 1}, {0, 0}, {2, 1}, {1, 0}});
    EXPECT_EQ(pattern.pairs(), (std::vector<Pair>{{0, 0}, {1, 0}, {2, 1}}));
    EXPECT_EQ(counted_down(pattern, 0, 0b111), (Counts{{0, 2}, {1, 1}}));
}

TEST(EdgePattern, in_degrees_count_the_predecessors_of_each_point) {
    Random random(2);
    for (int round = 0; round < 100; ++round) {
        const std::vector<Pair> pairs = random_pairs(random, 25, 19, 3);
        const EdgePattern pattern(25, 19, pairs);
        Counts predecessors, listed, packed;
        for (const Pair& pair : pairs) ++predecessors[pair.target];
        for (const auto& degree : pattern.in_degrees()) listed[degree.target] += degree.count;
        for (const auto& word : pattern.packed_in_degrees())
            for (std::uint32_t point = 0; point < 8; ++point)
                if (const auto count = word.decrement >> 8 * point & 0xff; count != 0)
                    packed[8 * word.bundle + point] += static_cast<std::uint32_t>(count);
        EXPECT_EQ(listed, predecessors);
        EXPECT_EQ(packed, predecessors);
        std::uint64_t largest = 0;
        for (const auto& [target, count] : predecessors)
            largest = std::max<std::uint64_t>(largest, count);
        EXPECT_EQ(pattern.in_degree_max(), largest);
    }
}

TEST(EdgePattern, many_points_that_all_precede_the_same_targets_count_as_one) {
    const EdgePattern all(9, 4, all_to_all(9, 4));
    ASSERT_TRUE(all.from_all());
    EXPECT_EQ(all.in_degree_max(), 1U);
    ASSERT_EQ(all.all().size(), 1U);
    EXPECT_EQ(all.all()[0].decrement, 0x01010101U);

    std::vector<Pair> some_targets;
    for (const Pair& pair : all_to_all(20, 20))
        if (pair.target % 7 == 2) some_targets.push_back(pair);
    EXPECT_TRUE(EdgePattern(20, 20, some_targets).from_all());

    EXPECT_FALSE(EdgePattern(8, 4, all_to_all(8, 4)).from_all())
        << "there is only one source bundle";
    EXPECT_FALSE(EdgePattern(9, 4, almost_all_to_all(9, 4)).from_all());
    std::vector<Pair> shifted = each_to_its_own(20);
    EXPECT_FALSE(EdgePattern(20, 20, shifted).from_all());
    EXPECT_FALSE(EdgePattern(20, 20, {}).from_all());
}

TEST(EdgePattern, a_target_of_all_points_counts_as_one_beside_others_that_do_not) {
    std::vector<Pair> pairs = neighbours(20, 20);
    for (const Pair& pair : all_to_all(20, 20))
        if (pair.target == 3 || pair.target == 17) pairs.push_back(pair);
    const EdgePattern pattern(20, 20, pairs);
    EXPECT_FALSE(pattern.from_all());
    EXPECT_EQ(pattern.in_degree_max(), 3U);
    ASSERT_EQ(pattern.all().size(), 2U);
    EXPECT_EQ(pattern.all()[0].decrement, std::uint64_t{1} << 24);
    EXPECT_EQ(pattern.all()[1].bundle, 2U);
    ASSERT_EQ(pattern.packed_in_degrees().size(), 3U);
    EXPECT_EQ(pattern.packed_in_degrees()[0].decrement, 0x0303030301030302U);
    EXPECT_EQ(pattern.packed_in_degrees()[2].decrement, 0x02030103U);
}

TEST(EdgePattern, decrements_of_neighbouring_points_are_summed_per_bundle) {
    const EdgePattern stencil(64, 64, neighbours(64, 64));
    for (std::uint32_t bundle = 0; bundle < 8; ++bundle) {
        std::size_t steps = 0;
        (void)counted_down(stencil, bundle, 0xff, &steps);
        EXPECT_LE(steps, 3U) << "its own bundle and its two neighbours; bundle " << bundle;
    }
}

TEST(EdgePattern, an_edge_outside_of_the_two_launches_is_an_internal_error) {
    base::throw_on_internal_failure = true;
    EXPECT_THROW(EdgePattern(2, 2, {{2, 0}}), base::InternalError);
    EXPECT_THROW(EdgePattern(2, 2, {{0, 2}}), base::InternalError);
    base::throw_on_internal_failure = false;
}

}  // namespace
}  // namespace refrain::graph::testing::edge_pattern_test
