#include "page/folded_graph.hpp"

#include <gtest/gtest.h>

namespace refrain::page::folded_graph_test {
namespace {

/// A fill, `width` steps on a tile each, and a sum; `turns` times the last two.
Fragment sweeps(std::uint32_t width, int turns) {
    FragmentRoom room{100'000, 100'000};
    Fragment fragment;
    fragment.append(0, 1, std::span<const WaitsFor>(), room);
    for (int turn = 0; turn < turns; ++turn) {
        for (std::uint32_t tile = 0; tile < width; ++tile) {
            const std::vector<WaitsFor> before = {{tile + 1, true}};
            fragment.append(1, 1, Listed(before, "[" + std::to_string(tile) + "]"), room);
        }
        std::vector<WaitsFor> all;
        for (std::uint32_t tile = 1; tile <= width; ++tile) all.push_back({tile, tile % 2 == 0});
        fragment.append(2, 1, Listed(all), room);
    }
    return fragment;
}

TEST(FoldedGraph, operations_of_a_site_that_stand_side_by_side_are_one_node) {
    const FoldedGraph graph(sweeps(1000, 3), 240);
    ASSERT_EQ(graph.nodes.size(), 7U);
    EXPECT_FALSE(graph.is_cut);
    EXPECT_EQ(graph.nodes[1].site, 1U);
    EXPECT_EQ(graph.nodes[1].operations, 1000U);
    EXPECT_EQ(graph.nodes[1].points, 1000U);
    EXPECT_EQ(graph.nodes[1].tiles, "[0] … [999]");
    EXPECT_EQ(graph.nodes[3].first, 1002U);
    ASSERT_EQ(graph.edges.size(), 6U);
    for (std::uint32_t i = 0; i < 6; ++i) {
        EXPECT_EQ(graph.edges[i].from, i);
        EXPECT_EQ(graph.edges[i].to, i + 1);
        EXPECT_TRUE(graph.edges[i].carries_data) << "some of its edges do";
    }
}

TEST(FoldedGraph, a_few_operations_side_by_side_stay_as_they_are) {
    const Fragment fragment = sweeps(FoldedGraph::side_by_side_max, 1);
    const FoldedGraph graph(fragment, 240);
    ASSERT_EQ(graph.nodes.size(), fragment.operations.size());
    EXPECT_EQ(graph.edges.size(), fragment.edges.size());
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) EXPECT_EQ(graph.nodes[i].first, i);
    EXPECT_EQ(graph.nodes[3].tiles, "[2]");
}

/// A chain of one site is no row: each stands below the one before.
TEST(FoldedGraph, a_chain_is_not_folded_and_is_cut_where_there_is_no_room) {
    FragmentRoom room{100, 100};
    Fragment chain;
    const std::vector<WaitsFor> before = {{1, true}};
    for (int i = 0; i < 50; ++i) chain.append(0, 4, Listed(before), room);
    EXPECT_TRUE(chain.operations[0].looks_beyond);
    const FoldedGraph graph(chain, 20);
    EXPECT_TRUE(graph.is_cut);
    EXPECT_EQ(graph.nodes.size(), 20U);
    EXPECT_EQ(graph.edges.size(), 19U);
    EXPECT_TRUE(graph.nodes[0].looks_beyond);
    EXPECT_EQ(graph.nodes[1].points, 4U);
}

}  // namespace
}  // namespace refrain::page::folded_graph_test
