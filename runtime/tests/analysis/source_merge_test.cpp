#include "analysis/source_merge.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace refrain::analysis::source_merge_test {
namespace {

using Pair = PatternTable::Pair;

/// By distance and pair of points: whether data flows.
using Plain = std::map<std::pair<std::uint32_t, Pair>, bool>;

Plain plain(const PatternTable& patterns, std::span<const Source> sources) {
    Plain edges;
    for (const Source& source : sources)
        for (const Pair& pair : patterns.get(source.pattern).pairs())
            edges[{source.distance, pair}] |= source.carries_data;
    return edges;
}

TEST(SourceMerge, a_data_edge_replaces_an_order_edge_between_the_same_points) {
    PatternTable patterns;
    const PatternId pattern = patterns.intern(2, 2, {{0, 0}, {1, 1}});
    const PatternId more = patterns.intern(2, 2, {{0, 0}, {0, 1}});
    SourceMerge merge(patterns);
    merge.add(std::vector<Source>{{1, pattern, true}, {1, pattern, false}});
    ASSERT_EQ(merge.merged().size(), 1U);
    EXPECT_TRUE(merge.merged()[0].carries_data);
    merge.add(std::vector<Source>{{1, more, false}});
    ASSERT_EQ(merge.merged().size(), 2U);
    EXPECT_EQ(merge.merged()[1], (Source{1, patterns.intern(2, 2, {{0, 1}}), false}));
    merge.clear();
    EXPECT_TRUE(merge.merged().empty());
}

TEST(SourceMerge, keeps_every_edge_exactly_once) {
    std::mt19937_64 random(6);
    for (int round = 0; round < 2000; ++round) {
        PatternTable patterns;
        SourceMerge merge(patterns);
        std::vector<Source> all;
        for (std::size_t requirement = 0; requirement < 1 + random() % 3; ++requirement) {
            std::vector<Source> sources;
            for (std::size_t n = random() % (round % 10 == 0 ? 60 : 6); n > 0; --n) {
                std::vector<Pair> pairs;
                for (std::uint32_t p = 0; p < 9; ++p)
                    if (random() % 3 == 0) pairs.push_back({p / 3, p % 3});
                const PatternId pattern = patterns.intern(3, 3, pairs);
                if (pattern != PatternId::none)
                    sources.push_back(
                        {1 + static_cast<std::uint32_t>(random() % 8), pattern, random() % 2 == 0});
            }
            merge.add(sources);
            all.insert(all.end(), sources.begin(), sources.end());
        }
        EXPECT_EQ(plain(patterns, merge.merged()), plain(patterns, all));
        std::set<std::pair<std::uint32_t, bool>> kinds;
        std::size_t edges = 0;
        for (const Source& source : merge.merged()) {
            EXPECT_TRUE(kinds.emplace(source.distance, source.carries_data).second);
            edges += patterns.get(source.pattern).pairs().size();
        }
        EXPECT_EQ(edges, plain(patterns, all).size()) << "no pair of points in two edges";
    }
}

}  // namespace
}  // namespace refrain::analysis::source_merge_test
