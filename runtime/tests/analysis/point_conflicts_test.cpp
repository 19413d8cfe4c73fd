#include "analysis/point_conflicts.hpp"

#include "analysis/pattern_table.hpp"
#include "analysis/source_merge.hpp"

#include <gtest/gtest.h>
#include <random>

namespace refrain::analysis::point_conflicts_test {
namespace {

data::BoxSet interval(std::int64_t begin, std::int64_t end) {
    return data::BoxSet(data::Box{{begin, 0, 0}, {end, 1, 1}});
}
/// n tiles of four elements.
std::vector<data::BoxSet> tiles(std::uint32_t n) {
    std::vector<data::BoxSet> subsets;
    for (std::int64_t i = 0; i < n; ++i) subsets.push_back(interval(4 * i, 4 * i + 4));
    return subsets;
}
std::vector<data::BoxSet> whole(std::uint32_t n) {
    return {n, interval(0, 4 * std::int64_t{n})};
}
graph::EdgeSet conflicts(const std::vector<data::BoxSet>& earlier,
                         const std::vector<data::BoxSet>& later) {
    return point_conflicts(PointSets(earlier), PointSets(later));
}

TEST(PointConflicts, equal_those_found_pair_by_pair) {
    std::mt19937_64 random(21);
    for (int round = 0; round < 500; ++round) {
        // Few distinct subsets, so that many points touch the same.
        const auto subsets = [&] {
            std::vector<data::BoxSet> palette(1 + random() % 4), made;
            for (data::BoxSet& set : palette)
                for (std::size_t boxes = random() % 3; boxes > 0; --boxes) {
                    const auto begin = static_cast<std::int64_t>(random() % 12);
                    set = set.unite(interval(begin, begin + 1 + static_cast<int>(random() % 8)));
                }
            for (std::size_t n = 1 + random() % 24; n > 0; --n)
                made.push_back(palette[random() % palette.size()]);
            return made;
        };
        const auto earlier = subsets();
        const auto later = subsets();
        std::vector<graph::PointPair> expected;
        for (std::uint32_t s = 0; s < earlier.size(); ++s)
            for (std::uint32_t t = 0; t < later.size(); ++t)
                if (earlier[s].overlaps(later[t])) expected.push_back({s, t});
        EXPECT_EQ(conflicts(earlier, later).pairs(), expected);
        const auto points = static_cast<std::uint32_t>(earlier.size());
        EXPECT_EQ(conflicts_of_few(OverlapTree(earlier), points, PointSets(later)).pairs(),
                  expected);
    }
}

TEST(PointConflicts, points_that_read_what_all_points_wrote_take_no_pair_each) {
    constexpr std::uint32_t n = 8192;
    const graph::EdgeSet reads = conflicts(tiles(n), whole(n));
    EXPECT_EQ(reads, graph::EdgeSet::complete(n, n));
    EXPECT_LT(reads.bytes(), 8 * n);
    EXPECT_EQ(conflicts(whole(n), tiles(n)), reads) << "and those that write what all read";
}

TEST(PointConflicts, points_that_touch_nothing_are_in_no_pair) {
    auto earlier = tiles(10);
    earlier[3] = {};
    auto later = whole(10);
    later[7] = {};
    EXPECT_EQ(conflicts(earlier, later).pairs().size(), 81U);
}

/// A step of n bodies: each force reads all positions, and then moves its own. Data flow from each
/// point to its own, and each waits for all readers.
TEST(PointConflicts, an_order_after_all_beside_data_takes_memory_by_points) {
    constexpr std::uint32_t n = 8192;
    PatternTable patterns;
    const PatternId order = patterns.intern(conflicts(whole(n), tiles(n)));
    const PatternId data = patterns.intern(conflicts(tiles(n), tiles(n)));
    for (const bool data_first : {false, true}) {
        SourceMerge merge(patterns);
        const std::vector<Source> sources{{1, data, true}, {1, order, false}};
        merge.add(std::span(sources).subspan(data_first ? 0 : 1, 1));
        merge.add(std::span(sources).subspan(data_first ? 1 : 0, 1));
        ASSERT_EQ(merge.merged().size(), 2U);
        for (const Source& source : merge.merged())
            EXPECT_EQ(source.pattern, source.carries_data ? data : order);
    }
    EXPECT_LT(patterns.bytes(), 1024 * n);
}

}  // namespace
}  // namespace refrain::analysis::point_conflicts_test
