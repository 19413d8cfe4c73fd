#pragma once

#include "graph/node.hpp"

#include <array>

namespace refrain::graph {

/// Up to eight launches of one point each, one after the other, tied into the graph as one node:
/// its *members*. They share a cache line of counts, and where they wait for the same bundle, an
/// edge; what they wait for among themselves is an edge from the batch to itself.
///
///     launches     t0  t1  t2  t3  t4  t5  t6  t7        eight nodes, each with a point
///     batch        [0   1   2   3   4   5   6   7]       one node, one bundle
///
/// A member keeps its own function, cost and cause of failure. It runs when its own count is zero,
/// whether others of the batch do or not; but it is finished, and may retire, when all have run.
struct Batch : Node {
    std::array<Node*, points_per_bundle> members{};
    std::array<base::Atomic<const void*>, points_per_bundle> member_causes{};  // of failure
    Bundle bundle;
};

}  // namespace refrain::graph
