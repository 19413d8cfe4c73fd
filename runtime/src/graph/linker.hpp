#pragma once

#include "base/assertion.hpp"
#include "base/prefetch.hpp"
#include "base/record_arena.hpp"
#include "graph/finish.hpp"
#include "graph/node.hpp"

#include <cstdint>
#include <vector>

namespace refrain::graph {

/// Links a new node into the running graph.
///
///     linker.add(source, pattern, true);    for each predecessor that may be unfinished
///     linker.publish(node, ready);          workers may run the node from here on
///
/// publish works in three steps:
///   1. store the complete in-degrees plus one unit per point;
///   2. push an edge onto each source's list, noting which source points were done by then;
///   3. subtract those points and the unit.
/// So a count cannot reach zero before the node is linked, and is zero exactly when all sources are
/// done (node.hpp, I1 and I2).
///
/// Hot path:    one locked operation per source bundle and one per own bundle; none without
///              unfinished sources.
/// Threads:     the launching thread only. Sources must not have retired.
class Linker {
  public:
    /// Edges are cut from `edges`, numbered by their target node.
    explicit Linker(base::RecordArena& edges) : edges_(edges) {}

    /// Adds the edges of `pattern` from `source` to the node that is published next.
    void add(Node& source, const EdgePattern& pattern, bool carries_data) {
        base::prefetch_for_write(source.bundles);  // the misses of several sources overlap
        pending_.push_back({.source = &source, .pattern = &pattern, .carries_data = carries_data});
    }
    /// Hands `node` to the workers; calls `ready(ReadyPoints)` with points that wait for nothing.
    template <class Ready>
    void publish(Node& node, Ready&& ready);

    /// Wires `node` and leaves it unarmed: for graphs that are built beforehand. Sources must not
    /// be running. Returns the counts to start with, one word per bundle.
    std::vector<std::uint64_t> wire_static(Node& node);

  private:
    struct Pending {
        Node* source;
        const EdgePattern* pattern;
        bool carries_data;
    };
    void arm(Node& node);
    void arm_wide(Node& node);
    [[nodiscard]] bool fits_bytes(const Node& node);
    void count_in_degrees(const Node& node);
    void count_in_degrees(const EdgePattern& pattern);
    void link(Node& node, const Pending& pending);
    void link_whole(Node& node, const Pending& pending);
    void link_bundle(Node& node, const Pending& pending, const EdgePattern::Slice& slice);
    void note_done(Bundle& target, std::uint64_t decrement);
    template <class Ready>
    void release(Node& node, Ready& ready);

    base::RecordArena& edges_;
    std::vector<Pending> pending_;
    // Units to subtract per own bundle (step 3): finished source points, and one per point.
    std::vector<std::uint64_t> done_;
    std::vector<std::uint32_t> done_wide_;  // the same per point, for a node with wide counts
    bool shared_ = false;                   // an edge was published: workers may touch the counts
};

template <class Ready>
inline void Linker::publish(Node& node, Ready&& ready) {
    REFRAIN_ASSERT(node.bundles != nullptr, "a node is published that was not prepared");
    if (pending_.empty()) {
        for (std::uint32_t b = 0; b < node.bundle_count; ++b)
            ready(ReadyPoints(node.bundles + b, (1U << node.bundles[b].point_count) - 1));
        return;
    }
    if (fits_bytes(node)) [[likely]]
        arm(node);
    else
        arm_wide(node);
    shared_ = false;
    for (const Pending& pending : pending_) link(node, pending);
    pending_.clear();
    release(node, ready);
}

template <class Ready>
inline void Linker::release(Node& node, Ready& ready) {
    if (node.wide_counts != nullptr) [[unlikely]] {
        for (std::uint32_t point = 0; point < node.point_count; ++point) {
            const std::uint32_t done = done_wide_[point];
            if (node.wide_counts[point].fetch_sub(done, std::memory_order_acq_rel) == done)
                ready(ReadyPoints(node.bundles + point / points_per_bundle,
                                  1U << (point % points_per_bundle)));
        }
        return;
    }
    for (std::uint32_t b = 0; b < node.bundle_count; ++b) {
        Bundle& bundle = node.bundles[b];
        if (shared_)
            detail::count_down(bundle, done_[b], ready);
        else  // all sources are done; no other thread knows this node
            ready(ReadyPoints(&bundle, (1U << bundle.point_count) - 1));
    }
}

}  // namespace refrain::graph
