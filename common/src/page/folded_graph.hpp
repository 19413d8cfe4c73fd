#pragma once

#include "page/fragment.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace refrain::page {

/// The task graph of a fragment as it is drawn: many operations of one launch site at the same depth are
/// one node.
///
///     fill ─┬▶ step [0] ─┬▶ sum          fill ──▶ 1000 × step [0] … [999] ──▶ sum
///           ├▶ step [1] ─┤         ─▶
///           └▶ ...      ─┘
///
/// Depth: the number of edges on the longest path to an operation. So no edge leads from one operation to
/// another at its depth, and the folded graph has no cycle either.
struct FoldedGraph {
    /// A node stands for more operations than this, or for one.
    static constexpr std::size_t side_by_side_max = 8;

    struct Node {
        SiteId site = 0;
        std::uint64_t operations = 1;
        std::uint64_t points = 0;  // of all of them
        bool looks_beyond = false;
        std::uint32_t first = 0;  // its first operation in the fragment
        std::string tiles;        // "[3]", or of the first and the last one: "[0] … [999]"
    };
    std::vector<Node> nodes;            // in the order of their first operations
    std::vector<Fragment::Edge> edges;  // between nodes; ordered by `to`
    bool is_cut = false;                // there are more nodes

    /// The first `nodes_max` nodes.
    FoldedGraph(const Fragment& fragment, std::size_t nodes_max);

  private:
    void add_edges(const Fragment& fragment, const std::vector<std::uint32_t>& node_of);
};

}  // namespace refrain::page
