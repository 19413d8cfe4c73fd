#pragma once

#include "refrain/detail/box_set.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::analysis {

/// Sets in a tree of boxes: which of them share an element with another set. Sets are named by their
/// index.
///
///     four tiles of [0,8)x[0,8)          nodes, in preorder
///         0 | 1                            [0,8)x[0,8)   skip 3
///        ---+---                           [0,4)x[0,8)   skip 2     leaf: tiles 0, 1
///         2 | 3                            [4,8)x[0,8)   skip 3     leaf: tiles 2, 3
///
/// A question goes through the nodes from left to right. Where a node's box lies elsewhere, it skips
/// the node's subtree. Each node is halved along the dimension in which the lower corners of its sets
/// are spread most. So bands of columns are told apart as well as bands of rows, and a periodic halo,
/// whose box is the whole space, is in the way of its own leaf only.
///
/// Complexity: O(n log n) to make; a question O(log n + answer) of disjoint boxes, and of halos of
///     them.
class OverlapTree {
  public:
    explicit OverlapTree(std::vector<const data::BoxSet*> sets);
    explicit OverlapTree(std::span<const data::BoxSet> sets);

    /// Calls visit(index) for every set that shares an element with `set`.
    template <class Visit>
    void overlapping(const data::BoxSet& set, Visit&& visit) const {
        for (std::uint32_t at = 0; at < nodes_.size();) {
            const Node& node = nodes_[at];
            if (!node.bounds.overlaps(set.bounds())) {
                at = node.skip;
                continue;
            }
            for (std::uint32_t i = node.begin; i < node.end; ++i)
                if (sets_[order_[i]]->overlaps(set)) visit(order_[i]);
            ++at;
        }
    }

    /// Memory that it takes, without the sets.
    [[nodiscard]] std::size_t bytes() const {
        return sets_.capacity() * sizeof(sets_[0]) + order_.capacity() * sizeof(order_[0]) +
               nodes_.capacity() * sizeof(nodes_[0]);
    }

  private:
    struct Node {
        data::Box bounds;
        std::uint32_t skip;        // the node behind its subtree
        std::uint32_t begin, end;  // its sets, in order_; none of an inner node
    };
    void divide(std::uint32_t begin, std::uint32_t end);

    std::vector<const data::BoxSet*> sets_;
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
};

}  // namespace refrain::analysis
