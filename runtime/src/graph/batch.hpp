#pragma once

#include "graph/node.hpp"

#include <array>

namespace refrain::graph {

/// Up to eight consecutive launches of one point each, linked as one node. The launches are its
/// *members*. They share a cache line of counts, and one edge per source bundle; dependences among
/// members are an edge from the batch to itself.
///
///     launches     t0  t1  t2  t3  t4  t5  t6  t7        eight nodes, each with a point
///     batch        [0   1   2   3   4   5   6   7]       one node, one bundle
///
/// A member keeps its own function, cost and cause of failure, and runs as soon as its own count is
/// zero. Members finish, and may retire, together: when all have run.
struct Batch : Node {
    std::array<Node*, points_per_bundle> members{};
    std::array<base::Atomic<const void*>, points_per_bundle> member_causes{};  // of failure
    Bundle bundle;
};

}  // namespace refrain::graph
