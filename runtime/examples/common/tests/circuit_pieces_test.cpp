#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "circuit/graph.hpp"
#include "circuit/pieces.hpp"

namespace circuit::circuit_pieces_test {
namespace {

using refrain::IndexSpace;
using refrain::Rect;

refrain::Options one_worker() {
    refrain::Options options;
    options.workers = 1;
    return options;
}

Pieces pieces_for(std::int64_t count, const std::vector<std::int64_t>& piece,
                  const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
    refrain::Runtime runtime(one_worker());
    const auto region_of = [&](const std::vector<std::int64_t>& values) {
        auto region = runtime.create_region<std::int64_t>(refrain::extents(values.size()));
        const auto view = runtime.write(region);
        std::copy(values.begin(), values.end(), view.elements().begin());
        return region;
    };
    const Pointers of_nodes = region_of(piece);
    return pieces_of(runtime, count, of_nodes, region_of(from), region_of(to));
}

TEST(CircuitPieces, the_example_in_the_header_is_right) {
    const Pieces p = pieces_for(2, {0, 0, 0, 1, 1, 1}, {0, 1, 2, 3, 5}, {1, 2, 4, 4, 3});
    EXPECT_EQ(p.wires[0], IndexSpace<1>(Rect<1>{0, 3}));
    EXPECT_EQ(p.wires[1], IndexSpace<1>(Rect<1>{3, 5}));
    EXPECT_EQ(p.owned[1], IndexSpace<1>(Rect<1>{3, 6}));
    EXPECT_EQ(p.alone[0], IndexSpace<1>(Rect<1>{0, 3}));
    EXPECT_EQ(p.alone[1], (IndexSpace<1>{Rect<1>{3, 4}, Rect<1>{5, 6}}));
    EXPECT_TRUE(p.shared[0].empty());
    EXPECT_EQ(p.shared[1], IndexSpace<1>(Rect<1>{4, 5}));
    EXPECT_EQ(p.ghost[0], IndexSpace<1>(Rect<1>{4, 5}));
    EXPECT_TRUE(p.ghost[1].empty());
    EXPECT_EQ(p.touched[0], (IndexSpace<1>{Rect<1>{0, 3}, Rect<1>{4, 5}}));
}

/// Checks the definition of each partition, node by node and wire by wire.
void expect_definitions(const Graph& graph, const Pieces& p) {
    const auto nodes = static_cast<std::size_t>(graph.node_count());
    std::vector<bool> reached_from_elsewhere(nodes, false);
    for (std::size_t w = 0; w < graph.wires.size(); ++w)
        if (graph.piece_of(graph.from[w]) != graph.piece_of(graph.to[w]))
            reached_from_elsewhere[static_cast<std::size_t>(graph.to[w])] = true;
    for (std::int64_t n = 0; n < graph.node_count(); ++n) {
        const bool is_shared = reached_from_elsewhere[static_cast<std::size_t>(n)];
        for (std::int64_t c = 0; c < graph.pieces; ++c) {
            const bool owns = graph.piece_of(n) == c;
            EXPECT_EQ(p.owned[c].contains(n), owns);
            EXPECT_EQ(p.shared[c].contains(n), owns && is_shared);
            EXPECT_EQ(p.alone[c].contains(n), owns && !is_shared);
        }
    }
    for (std::int64_t w = 0; w < graph.wire_count(); ++w) {
        const std::int64_t to = graph.to[static_cast<std::size_t>(w)];
        const std::int64_t piece = graph.piece_of(graph.from[static_cast<std::size_t>(w)]);
        EXPECT_TRUE(p.wires[piece].contains(w));
        EXPECT_TRUE(p.touched[piece].contains(to));
        EXPECT_EQ(p.ghost[piece].contains(to), graph.piece_of(to) != piece);
    }
}

TEST(CircuitPieces, every_node_and_wire_is_in_the_partitions_that_define_it) {
    for (const bool scatter : {false, true})
        for (const double inside : {0.0, 0.7, 1.0}) {
            const Graph graph = make_graph(
                {.pieces = 4, .nodes = 6, .wires = 10, .inside = inside, .scatter = scatter});
            const Pieces p = pieces_for(graph.pieces, graph.piece, graph.from, graph.to);
            expect_definitions(graph, p);
            EXPECT_TRUE(p.owned.is_disjoint() && p.owned.is_complete());
            EXPECT_TRUE(p.wires.is_disjoint() && p.wires.is_complete());
            EXPECT_TRUE(p.alone.is_disjoint() && p.shared.is_disjoint());
            for (std::int64_t c = 0; c < graph.pieces; ++c) {
                EXPECT_EQ(p.alone[c] | p.shared[c], p.owned[c]);
                EXPECT_FALSE(p.ghost[c].overlaps(p.owned[c]));
                EXPECT_TRUE((p.owned[c] | p.ghost[c]).contains(p.touched[c]));
            }
        }
}

}  // namespace
}  // namespace circuit::circuit_pieces_test
