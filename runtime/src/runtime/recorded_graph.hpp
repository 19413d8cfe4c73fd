#pragma once

#include "graph/edge_pattern.hpp"
#include "graph/operation_number.hpp"
#include "refrain/statistics.hpp"

#include <cstdint>
#include <vector>

namespace refrain::runtime {

/// All dependences of a run, for programs that ask for them (record-graph). It only grows.
///
/// Threads:  the launching thread only.
class RecordedGraph {
  public:
    struct Edge {
        graph::OperationNumber source, target;
        std::vector<graph::EdgePattern::Pair> pairs;  // of points
        bool carries_data;
    };

    /// The next operation.
    void add_operation(std::uint32_t points) { points_.push_back(points); }
    void add(Edge edge) { edges_.push_back(std::move(edge)); }

    [[nodiscard]] std::uint32_t points_of(graph::OperationNumber operation) const {
        return points_[(operation - 1).value()];
    }
    /// Point by point.
    [[nodiscard]] std::vector<Dependence> dependences() const;

  private:
    std::vector<Edge> edges_;
    std::vector<std::uint32_t> points_;  // by operation
};

}  // namespace refrain::runtime
