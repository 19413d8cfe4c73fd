#pragma once

#include "base/record_arena.hpp"
#include "graph/linker.hpp"
#include "graph/node.hpp"
#include "graph/workers.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace overhead {

using refrain::graph::Bundle;
using refrain::graph::EdgePattern;
using refrain::graph::Linker;
using refrain::graph::Node;
using refrain::graph::ReadyPoints;
using refrain::graph::run_each;
using refrain::graph::RunPoints;
using refrain::graph::TaskCost;
using refrain::graph::Workers;

/// A task graph that is built once and run many times: the floor of what a task costs.
///
///     StaticGraph graph;
///     Node& a = graph.add(4, run, cost);
///     Node& b = graph.add(4, run, cost);
///     graph.depend(a, b, pattern);
///     graph.run(workers);      as often as wanted; returns when every point has run
///
/// A bundle makes itself ready for the next run when it has finished. That may be a little after
/// its successors have run, so that a run ends when every node has finished, not when the last ones
/// have.
///
/// Threads:     the launching thread only; `run` lets the workers run points.
class StaticGraph {
  public:
    /// A node of `points` points. The reference stays valid while the graph lives.
    Node& add(std::uint32_t points, RunPoints run_points, TaskCost& cost);
    /// All edges into `target` must be given before the next node is added. `pattern` must outlive
    /// the graph.
    void depend(Node& source, Node& target, const EdgePattern& pattern);
    /// Returns why points failed: the cause of the first node in the order of `add`, or null.
    const void* run(Workers& workers);

  private:
    struct Entry {
        Node node;
        std::unique_ptr<Bundle[]> bundles;
        std::vector<std::uint64_t> counts;
        bool has_successor = false;
    };
    void wire_last();
    void choose_order_of_waiting();
    const void* take_failure();

    refrain::base::RecordArena edges_;
    Linker linker_{edges_};
    std::deque<Entry> entries_;
    std::vector<ReadyPoints> roots_;
    std::vector<const Node*> waited_for_;  // nodes without successors first: then all have run
    std::uint32_t runs_ = 0;
    bool last_wired_ = true;
};

}  // namespace overhead
