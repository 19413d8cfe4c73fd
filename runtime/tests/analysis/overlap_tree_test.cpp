#include "analysis/overlap_tree.hpp"

#include "refrain/partition.hpp"

#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <random>

namespace refrain::analysis::overlap_tree_test {
namespace {

std::vector<std::uint32_t> found(const OverlapTree& tree, const data::BoxSet& set) {
    std::vector<std::uint32_t> indices;
    tree.overlapping(set, [&](std::uint32_t index) { indices.push_back(index); });
    std::sort(indices.begin(), indices.end());
    return indices;
}

data::BoxSet random_set(std::mt19937_64& random) {
    data::BoxSet set;
    for (std::size_t boxes = random() % 3; boxes > 0; --boxes) {
        data::Box box;
        for (std::size_t d = 0; d < box.lo.size(); ++d) {
            box.lo[d] = static_cast<std::int64_t>(random() % 6) - 3;
            box.hi[d] = box.lo[d] + 1 + static_cast<std::int64_t>(random() % 3);
        }
        set = set.unite(data::BoxSet(box));
    }
    return set;
}

TEST(OverlapTree, finds_what_a_comparison_with_each_set_finds) {
    std::mt19937_64 random(3);
    for (std::size_t n = 0; n < 200; ++n) {
        std::vector<data::BoxSet> sets;
        for (std::size_t i = 0; i < n; ++i) sets.push_back(random_set(random));
        const OverlapTree tree(sets);
        for (int question = 0; question < 20; ++question) {
            const data::BoxSet set = random_set(random);
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < n; ++i)
                if (sets[i].overlaps(set)) expected.push_back(i);
            EXPECT_EQ(found(tree, set), expected);
        }
    }
}

TEST(OverlapTree, takes_corners_at_both_ends_of_the_numbers) {
    std::vector<data::BoxSet> sets;
    for (const std::int64_t lo : {INT64_MIN, std::int64_t{-1}, INT64_MAX - 1})
        for (int i = 0; i < 20; ++i) sets.push_back(data::Box{{lo, 0, 0}, {lo + 1, 1, 1}});
    const OverlapTree tree(sets);
    EXPECT_EQ(found(tree, data::Box{{INT64_MAX - 1, 0, 0}, {INT64_MAX, 1, 1}}).size(), 20U);
    EXPECT_EQ(found(tree, data::Box{{-5, 0, 0}, {5, 1, 1}}).size(), 20U);
}

/// The CPU seconds of finding all overlaps of subsets that a loop over dimension 0 does not tell apart, or of
/// which the first covers all others.
double seconds_of_questions(std::int64_t n) {
    const auto columns_of_a_matrix = columns(extents(4, n), n);
    const auto ring = tiles(extents(4 * n), n);
    const auto questions = [](const data::PartitionData& sets, const data::PartitionData& asked) {
        const OverlapTree tree(sets.subsets);
        std::int64_t answers = 0;
        for (const data::BoxSet& set : asked.subsets)
            answers += static_cast<std::int64_t>(found(tree, set).size());
        return answers;
    };
    const auto halos_of_columns = halo(columns_of_a_matrix, {0, 1});
    const auto halos_of_ring = halo(ring, 1, 1, Boundary::periodic);
    const std::clock_t start = std::clock();
    EXPECT_EQ(questions(columns_of_a_matrix.data(), halos_of_columns.data()), 3 * n - 2);
    EXPECT_EQ(questions(halos_of_ring.data(), ring.data()), 3 * n);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// 64 times as long if each is compared with each.
TEST(OverlapTree, takes_n_log_n_whatever_the_subsets_look_like) {
    const double few = seconds_of_questions(5'000);
    EXPECT_LT(seconds_of_questions(40'000), 24 * few);
}

}  // namespace
}  // namespace refrain::analysis::overlap_tree_test
