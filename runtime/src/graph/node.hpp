#pragma once

#include "base/atomic.hpp"
#include "graph/edge_pattern.hpp"
#include "refrain/detail/task_cost.hpp"

#include <cstdint>

namespace refrain::graph {

struct Node;
struct Bundle;

/// Runs one point of a node; false if it failed, and then the node's first bundle says why
/// (`cause`). `worker` is the index of the worker that runs it.
using RunPoint = bool (*)(Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

/// An edge between two nodes as seen from a source bundle: a link in that bundle's list. Lives in
/// memory of its target.
struct Edge {
    Edge* next = nullptr;  // written before the edge is published
    Node* target = nullptr;
    union {
        const EdgePattern::Slice* slice;  // in the list of a bundle
        const EdgePattern* pattern;       // in the list of a whole node: a from_all pattern
    };
    bool carries_data = false;  // a true dependence: failure travels along it
    // In the list of a batch's bundle (batch.hpp), the one point that is the source.
    std::uint8_t first_point = 0;
    std::uint8_t point_mask = 0xff;

    /// Points of the bundle as the slice counts them.
    [[nodiscard]] std::uint32_t own(std::uint32_t points) const {
        return (points >> first_point) & point_mask;
    }
};

/// Up to eight points of a node, in one cache line that workers write.
///
///   counts    one byte per point: unfinished predecessors (I1), plus one unit while the launch is
///             being wired
///   state     [ first edge : 48 | failed points : 8 | done points : 8 ]
///
/// I1  A byte reaches zero exactly once, and whoever takes it there owns the point and runs it.
/// I2  A done bit is set after the point's effects, by a compare-exchange that expects the list
///     whose edges the finisher has served; an edge is added by one that sees which points were
///     already done. So each (edge, point) is accounted for exactly once: by the finishing worker
///     if the edge was in the list when its bit was set, by the launcher otherwise.
/// I3  A finisher has left the list when it sets its bits. So when all points are done nobody walks
///     it any more; only then may the node retire. Nodes retire in launch order, and an edge lives
///     in its target, which is younger: so a list may be walked without any further protection.
/// Pairs: the finisher's load and compare-exchange of state with the launcher's compare-exchange
///     (acq_rel): the edge's fields; fetch_sub of counts (acq_rel) with every other fetch_sub of
///     the same word: a point sees the effects of all its predecessors.
struct alignas(64) Bundle {
    base::Atomic<std::uint64_t> counts{0};
    base::Atomic<std::uint64_t> state{0};
    Node* node = nullptr;
    std::uint32_t first_point = 0;
    std::uint32_t point_count = 0;
    base::Atomic<std::uint32_t> poisoned{0};  // points that must not run: their data was not made
    // The first bundle speaks for the node:
    base::Atomic<std::uint32_t> finished{0};  // not 0 when nobody touches the node any more
    base::Atomic<std::uint32_t> unfinished_bundles{0};  // used if there are several
    base::Atomic<std::uint64_t> whole_state{0};         // as state, for edges from the whole node
    base::Atomic<const void*> cause{nullptr};  // why points were poisoned or failed; not of a batch
};
static_assert(sizeof(Bundle) == 64, "a bundle is the unit that crosses between cores");

/// One launch in the task graph: its points, their bundles and how a point is run. The launching
/// thread fills it in; workers only read it. What a room above wants to keep with a launch, it
/// keeps in a struct that begins with a Node.
struct Node {
    RunPoint run = nullptr;
    RunPoint skip = nullptr;  // called instead of run for a point that must not run; may be null
    Bundle* bundles = nullptr;
    base::Atomic<std::uint32_t>* wide_counts = nullptr;  // per point, if a byte cannot hold them
    TaskCost* cost = nullptr;
    const std::uint64_t* rearm = nullptr;  // counts to start with again (a static graph), or null
    base::Atomic<const void*>* causes = nullptr;  // of failure: one, or one per point of a batch
    std::uint64_t number = 0;
    std::uint32_t point_count = 0;
    std::uint32_t bundle_count = 0;
    bool is_batch = false;         // this is a Batch (batch.hpp)
    std::uint8_t first_point = 0;  // of a member of a batch: which point of the batch it is

    /// A launch of one point that shares the bundle of a batch with others.
    [[nodiscard]] bool is_member() const { return bundles[0].node != this; }
    /// Nobody touches the node any more, nor another member of its batch.
    [[nodiscard]] bool is_finished() const {
        return bundles[0].finished.load(std::memory_order_acquire) != 0;
    }
    /// All its points have run or were skipped. A member may have run long before it is finished.
    [[nodiscard]] bool has_run() const;
    /// Where it says why points of a bundle must not run or failed. The first says so.
    [[nodiscard]] base::Atomic<const void*>& cause(std::uint32_t point) const {
        return is_batch ? causes[point] : *causes;
    }
    /// Some point failed or was skipped; meaningful once it has run.
    [[nodiscard]] const void* failure_cause() const {
        return causes->load(std::memory_order_acquire);
    }
};

/// The list head, failed and done bits packed in Bundle::state.
struct BundleState {
    static constexpr std::uint64_t point_bits = 0xff;
    [[nodiscard]] static Edge* first_edge(std::uint64_t state) {
        return reinterpret_cast<Edge*>(static_cast<std::uintptr_t>(state >> 16));
    }
    [[nodiscard]] static std::uint32_t done(std::uint64_t state) {
        return static_cast<std::uint32_t>(state & point_bits);
    }
    [[nodiscard]] static std::uint32_t failed(std::uint64_t state) {
        return static_cast<std::uint32_t>((state >> 8) & point_bits);
    }
    [[nodiscard]] static std::uint64_t with_first_edge(std::uint64_t state, const Edge* edge) {
        return (state & 0xffff) |
               (static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(edge)) << 16);
    }
};
static_assert(sizeof(void*) == 8, "list heads are packed into 48 bits of a 64-bit address");

inline bool Node::has_run() const {
    if (!is_member()) return is_finished();
    const std::uint64_t state = bundles[0].state.load(std::memory_order_acquire);
    return (BundleState::done(state) >> first_point & 1U) != 0;
}

/// Lays out a node's bundles in `memory` (bundles_for(node.point_count) lines), with nothing
/// pending.
void prepare_bundles(Node& node, Bundle* memory);

/// The bytes of a word of pending counts that are zero, as a mask of points. Every byte is below
/// 128.
[[nodiscard]] inline std::uint32_t zero_counts(std::uint64_t counts) {
    const std::uint64_t nonzero = (counts + 0x7f7f7f7f7f7f7f7fU) & 0x8080808080808080U;
    return static_cast<std::uint32_t>(
        ((~nonzero & 0x8080808080808080U) >> 7) * 0x0102040810204080U >> 56);
}
[[nodiscard]] inline std::uint32_t nonzero_counts(std::uint64_t counts) {
    const std::uint64_t nonzero = (counts + 0x7f7f7f7f7f7f7f7fU) & 0x8080808080808080U;
    return static_cast<std::uint32_t>((nonzero >> 7) * 0x0102040810204080U >> 56);
}
/// How many points a mask of up to eight names. std::popcount is a call where the compiler may not
/// count on the instruction.
[[nodiscard]] constexpr std::uint32_t count_points(std::uint32_t points) {
    points -= (points >> 1) & 0x55U;
    points = (points & 0x33U) + ((points >> 2) & 0x33U);
    return (points + (points >> 4)) & 0x0fU;
}
[[nodiscard]] inline std::uint32_t all_points(const Bundle& bundle) {
    return (1U << bundle.point_count) - 1;
}
/// One unit for each of the first `points` points.
[[nodiscard]] inline std::uint64_t unit_counts(std::uint32_t points) {
    return points >= 8 ? 0x0101010101010101U
                       : 0x0101010101010101U & ((std::uint64_t{1} << (8 * points)) - 1);
}

}  // namespace refrain::graph
