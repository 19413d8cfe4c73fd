#include "graph/edge_set.hpp"

#include "graph/edge_pattern.hpp"
#include "graph/launch_program.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace refrain::graph::testing::edge_set_test {
namespace {

using Pairs = std::set<Pair>;

EdgeSet edges(std::uint32_t sources, std::uint32_t targets, const Pairs& pairs) {
    return {sources, targets, {}, {pairs.begin(), pairs.end()}};
}
Pairs pairs_of(const EdgeSet& set) {
    const std::vector<Pair> pairs = set.pairs();
    EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
    return {pairs.begin(), pairs.end()};
}
/// Random edges in which some targets wait for all sources.
Pairs random_edges(Random& random, std::uint32_t sources, std::uint32_t targets) {
    Pairs pairs;
    for (const Pair& pair : random_pairs(random, sources, targets, 3)) pairs.insert(pair);
    for (std::uint32_t target = 0; target < targets; ++target)
        if (random() % 3 == 0)
            for (std::uint32_t source = 0; source < sources; ++source)
                pairs.insert({source, target});
    return pairs;
}

TEST(EdgeSet, a_target_that_every_point_precedes_is_stored_without_pairs) {
    std::vector<PointPair> pairs = all_to_all(9, 3);
    std::erase_if(pairs, [](const Pair& pair) { return pair == Pair{4, 1}; });
    const EdgeSet set(9, 3, {}, pairs);
    EXPECT_EQ(std::vector<std::uint32_t>(set.after_all().begin(), set.after_all().end()),
              (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(set.others().size(), 8U);
    EXPECT_EQ(set.pairs(), pairs);
    EXPECT_EQ(EdgeSet(9, 3, {2, 0}, {set.others().begin(), set.others().end()}), set)
        << "however the edges are given";
    EXPECT_TRUE(EdgeSet(8, 3, {1}, {}).after_all().empty()) << "one bundle needs no such edge";
    EXPECT_EQ(EdgeSet(8, 3, {1}, {}).others().size(), 8U);
}

TEST(EdgeSet, all_before_all_takes_memory_by_points) {
    constexpr std::uint32_t points = 8192;
    const EdgePattern pattern(EdgeSet::complete(points, points));
    EXPECT_TRUE(pattern.from_all());
    EXPECT_EQ(pattern.all().size(), points / points_per_bundle);
    EXPECT_LT(pattern.bytes(), 16 * points);
}

TEST(EdgeSet, a_union_has_the_edges_of_both) {
    Random random(11);
    for (int round = 0; round < 500; ++round) {
        const auto sources = static_cast<std::uint32_t>(1 + random() % 12);
        const auto targets = static_cast<std::uint32_t>(1 + random() % 12);
        const Pairs a = random_edges(random, sources, targets);
        const Pairs b = random_edges(random, sources, targets);
        Pairs both = a;
        both.insert(b.begin(), b.end());
        const EdgeSet united = edges(sources, targets, a).unite(edges(sources, targets, b));
        EXPECT_EQ(united, edges(sources, targets, both));
        EXPECT_EQ(united.hash(), edges(sources, targets, both).hash());
        EXPECT_EQ(pairs_of(united), both);
    }
}

TEST(EdgeSet, a_difference_keeps_extra_edges_only_to_targets_that_every_point_precedes) {
    Random random(12);
    for (int round = 0; round < 500; ++round) {
        const auto sources = static_cast<std::uint32_t>(1 + random() % 12);
        const auto targets = static_cast<std::uint32_t>(1 + random() % 12);
        const Pairs a = random_edges(random, sources, targets);
        const Pairs b = random_edges(random, sources, targets);
        const EdgeSet from = edges(sources, targets, a);
        const Pairs left = pairs_of(from.without(edges(sources, targets, b)));
        const auto after_all = from.after_all();
        for (const Pair& pair : a) {
            if (!b.contains(pair)) {
                EXPECT_TRUE(left.contains(pair));
            } else if (left.contains(pair)) {
                EXPECT_TRUE(std::binary_search(after_all.begin(), after_all.end(), pair.target));
            }
        }
        for (const Pair& pair : left) EXPECT_TRUE(a.contains(pair));
    }
}

}  // namespace
}  // namespace refrain::graph::testing::edge_set_test
