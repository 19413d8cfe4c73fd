#pragma once

/// Completion of points: marks them as done, counts their successors down and, with the last point,
/// finishes the node. The protocol is argued in README.md; I1 to I3 are those of node.hpp.
///
/// Hot path: one locked operation on the bundle and one per successor bundle. Guarded by
///     bench/overhead.

#include "base/assertion.hpp"
#include "graph/node.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace refrain::graph {

/// Ready points of one bundle as one word: the bundle's address, and a mask of points in the top
/// byte.
class ReadyPoints {
  public:
    ReadyPoints() = default;
    ReadyPoints(Bundle* bundle, std::uint32_t points)
        : word_(reinterpret_cast<std::uintptr_t>(bundle) |
                (static_cast<std::uint64_t>(points) << 56)) {}
    explicit ReadyPoints(std::uint64_t word) : word_(word) {}
    [[nodiscard]] Bundle& bundle() const {
        return *reinterpret_cast<Bundle*>(static_cast<std::uintptr_t>(word_ & 0x00ffffffffffffffU));
    }
    [[nodiscard]] std::uint32_t points() const { return static_cast<std::uint32_t>(word_ >> 56); }
    [[nodiscard]] std::uint64_t word() const { return word_; }
    explicit operator bool() const { return word_ != 0; }

  private:
    std::uint64_t word_ = 0;
};

namespace detail {

/// Marks points of `target` as not to be run, because of `cause`.
inline void poison(Bundle& target, std::uint32_t points, const void* cause) {
    for (std::uint32_t left = points; left != 0; left &= left - 1) {
        const void* none = nullptr;
        const auto point = static_cast<std::uint32_t>(std::countr_zero(left));
        target.node->cause(point).compare_exchange_strong(none, cause, std::memory_order_acq_rel,
                                                          std::memory_order_relaxed);
    }
    target.poisoned.fetch_or(points, std::memory_order_relaxed);  // published by count_down
}

/// count_down for a node with a word per point; `decrement` is packed as usual.
template <class Ready>
void count_down_wide(Bundle& target, std::uint64_t decrement, Ready& ready) {
    base::Atomic<std::uint32_t>* wide = target.node->wide_counts + target.first_point;
    for (std::uint32_t point = 0; decrement != 0; ++point, decrement >>= 8) {
        const auto units = static_cast<std::uint32_t>(decrement & 0xff);
        if (units == 0) continue;
        const std::uint32_t before = wide[point].fetch_sub(units, std::memory_order_acq_rel);
        REFRAIN_ASSERT(before >= units, "a point waits for fewer points than have finished");
        if (before == units) ready(ReadyPoints(&target, std::uint32_t{1} << point));
    }
}

/// Subtracts `decrement` from the counts of `target` and calls `ready` with the points that reach
/// zero.
template <class Ready>
inline void count_down(Bundle& target, std::uint64_t decrement, Ready& ready) {
    if (target.node->wide_counts != nullptr) [[unlikely]]
        return count_down_wide(target, decrement, ready);
    const std::uint64_t left =
        target.counts.fetch_sub(decrement, std::memory_order_acq_rel) - decrement;
    const std::uint32_t points = zero_counts(left) & nonzero_counts(decrement);  // I1
    if (points != 0) ready(ReadyPoints(&target, points));
}

/// Pushes the edge onto the list of `source`, last seen in `state`. Returns the state that the push
/// replaced: points done there do not serve the edge (I2).
inline std::uint64_t push_edge(Edge& edge, Bundle& source, std::uint64_t state) {
    do {
        edge.next = BundleState::first_edge(state);
    } while (!source.state.compare_exchange_weak(state, BundleState::with_first_edge(state, &edge),
                                                 std::memory_order_acq_rel,
                                                 std::memory_order_acquire));  // I2
    return state;
}

/// What `points` subtract together from the target bundle of a single slice.
[[nodiscard]] inline std::uint64_t sum_decrements(const EdgePattern::Slice& slice,
                                                  std::uint32_t points) {
    std::uint64_t sum = 0;
    for (; points != 0; points &= points - 1) sum += slice.decrement[std::countr_zero(points)];
    return sum;
}

/// Calls visit(target bundle, decrement) for all targets of `points` along one edge. Decrements of
/// consecutive points to the same bundle are summed, at most eight per byte.
template <class Visit>
inline void for_targets(Node& target, const EdgePattern::Slice& slice, std::uint32_t points,
                        Visit&& visit) {
    if (slice.spread == nullptr) {
        const std::uint64_t decrement = sum_decrements(slice, points);
        if (decrement != 0) visit(target.bundles[slice.target_bundle], decrement);
        return;
    }
    const EdgePattern::Spread& spread = *slice.spread;
    EdgePattern::Word sum{0, 0};
    for (; points != 0; points &= points - 1) {
        const int point = std::countr_zero(points);
        for (std::uint32_t w = spread.begin[point]; w < spread.begin[point + 1]; ++w) {
            const EdgePattern::Word& word = spread.words[w];
            if (word.bundle != sum.bundle && sum.decrement != 0)
                visit(target.bundles[sum.bundle], std::exchange(sum.decrement, 0));
            sum = {word.bundle, sum.decrement + word.decrement};
        }
    }
    if (sum.decrement != 0) visit(target.bundles[sum.bundle], sum.decrement);
}

/// Poisons the targets of the `failed` points of `source` along an edge that carries data.
[[gnu::cold]] inline void poison_targets(const Edge& edge, const Node& source,
                                         std::uint32_t failed) {
    for (; failed != 0; failed &= failed - 1) {
        const auto point = static_cast<std::uint32_t>(std::countr_zero(failed));
        const void* cause = source.cause(point).load(std::memory_order_acquire);
        for_targets(*edge.target, *edge.slice, edge.source_points(1U << point),
                    [&](Bundle& bundle, std::uint64_t decrement) {
                        poison(bundle, nonzero_counts(decrement), cause);
                    });
    }
}

/// Counts down, and if need be poisons, the targets of the `done` points along one edge.
template <class Ready>
inline void serve_edge(const Edge& edge, const Node& source, std::uint32_t done,
                       std::uint32_t failed, Ready& ready) {
    if (failed != 0 && edge.carries_data) [[unlikely]]
        poison_targets(edge, source, failed);
    for_targets(
        *edge.target, *edge.slice, edge.source_points(done),
        [&](Bundle& bundle, std::uint64_t decrement) { count_down(bundle, decrement, ready); });
}

/// Serves the edges from all points of a node with several bundles, all of whose points are done.
template <class Ready>
void finish_node(Node& node, Ready& ready) {
    Bundle& first = node.bundles[0];
    const void* cause = first.cause.load(std::memory_order_acquire);
    const std::uint64_t bits = cause != nullptr ? 0x101U : 0x001U;
    const std::uint64_t before = first.whole_state.fetch_or(bits, std::memory_order_acq_rel);  // I2
    for (const Edge* edge = BundleState::first_edge(before); edge != nullptr; edge = edge->next) {
        Node& target = *edge->target;
        const bool poisons = cause != nullptr && edge->carries_data;
        for (const auto& word : edge->pattern->all()) {
            Bundle& bundle = target.bundles[word.bundle];
            if (poisons) poison(bundle, nonzero_counts(word.decrement), cause);
            count_down(bundle, word.decrement, ready);
        }
    }
}

/// A static graph's bundle makes itself ready for the next run.
inline void rearm(Bundle& bundle) {
    const std::uint32_t index = bundle.first_point / points_per_bundle;
    const std::uint64_t state = bundle.state.load(std::memory_order_relaxed);
    bundle.counts.store(bundle.node->rearm[index], std::memory_order_relaxed);
    bundle.poisoned.store(0, std::memory_order_relaxed);
    bundle.state.store(BundleState::with_first_edge(0, BundleState::first_edge(state)),
                       std::memory_order_relaxed);  // published by the end of the run
}

inline void rearm_whole(Node& node) {
    Bundle& first = node.bundles[0];
    const std::uint64_t state = first.whole_state.load(std::memory_order_relaxed);
    first.unfinished_bundles.store(node.bundle_count, std::memory_order_relaxed);
    first.whole_state.store(BundleState::with_first_edge(0, BundleState::first_edge(state)),
                            std::memory_order_relaxed);  // published by the end of the run
}

/// All points of the bundle are done. Once `finished` is stored, no worker touches the node (I3).
/// `finished` is a counter: a static graph's node finishes once per run.
template <class Ready>
inline void finish_bundle(Bundle& bundle, Ready& ready) {
    Node& node = *bundle.node;
    if (node.rearm != nullptr) rearm(bundle);
    if (node.bundle_count > 1) {
        Bundle& first = node.bundles[0];
        const std::uint32_t unfinished =
            first.unfinished_bundles.fetch_sub(1, std::memory_order_acq_rel);
        REFRAIN_ASSERT(unfinished != 0, "more bundles of a node finish than it has");
        if (unfinished != 1) return;
        finish_node(node, ready);
        if (node.rearm != nullptr) rearm_whole(node);
    }
    base::Atomic<std::uint32_t>& finished = node.bundles[0].finished;
    finished.store(finished.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

/// Whoever makes a point fail must store the cause before it finishes the point.
[[gnu::cold]] inline void assert_causes(const Node& node, std::uint32_t failed) {
    for (; failed != 0; failed &= failed - 1) {
        const auto point = static_cast<std::uint32_t>(std::countr_zero(failed));
        REFRAIN_ASSERT(node.cause(point).load(std::memory_order_acquire) != nullptr,
                       "a point failed without a cause");
    }
}

}  // namespace detail

/// Marks `points` of `bundle` as done and `failed` of them as failed; calls `ready(ReadyPoints)`
/// with every successor that becomes ready. The caller has run or skipped the points.
template <class Ready>
inline void finish(Bundle& bundle, std::uint32_t points, std::uint32_t failed, Ready&& ready) {
    const Node& node = *bundle.node;
    if (failed != 0) [[unlikely]]
        detail::assert_causes(node, failed);
    const std::uint64_t bits = points | (static_cast<std::uint64_t>(failed) << 8);
    const std::uint32_t all = all_points(bundle);
    std::uint64_t state = bundle.state.load(std::memory_order_acquire);
    REFRAIN_ASSERT((BundleState::done(state) & points) == 0, "a point finishes twice");
    const Edge* served = nullptr;  // this edge and its successors in the list are served
    do {
        const Edge* first = BundleState::first_edge(state);
        for (const Edge* edge = first; edge != served; edge = edge->next)
            detail::serve_edge(*edge, node, points, failed, ready);  // I3
        served = first;
    } while (!bundle.state.compare_exchange_weak(state, state | bits, std::memory_order_acq_rel,
                                                 std::memory_order_acquire));  // I2
    if (BundleState::done(state | bits) == all) detail::finish_bundle(bundle, ready);
}

}  // namespace refrain::graph
