#pragma once

#include "base/atomic.hpp"
#include "graph/edge_pattern.hpp"
#include "graph/operation_number.hpp"
#include "graph/task_cost.hpp"

#include <bit>
#include <cstdint>

namespace refrain::graph {

struct Node;
struct Bundle;

/// Runs one point of a node on the worker of index `worker`. Returns false if it failed, after
/// storing Node::cause(point).
using RunPoint = bool (*)(Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

/// The same of several points, in their order: bit i stands for point first + i. Returns those that failed.
/// What the points of a launch share is looked up once.
using RunPoints = std::uint64_t (*)(Node& node, std::uint32_t first, std::uint64_t points,
                                    std::uint32_t worker) noexcept;

/// Asks for the lines that the points will read and write. A hint.
using FetchPoints = void (*)(const Node& node, std::uint32_t first, std::uint64_t points) noexcept;

/// Points that are run one by one.
template <RunPoint run_point>
std::uint64_t run_each(Node& node, std::uint32_t first, std::uint64_t points,
                       std::uint32_t worker) noexcept {
    std::uint64_t failed = 0;
    for (std::uint64_t left = points; left != 0; left &= left - 1) {
        const auto index = static_cast<std::uint32_t>(std::countr_zero(left));
        if (!run_point(node, first + index, worker)) failed |= std::uint64_t{1} << index;
    }
    return failed;
}

/// An edge to a node: a link in the list of a source bundle. Lives in memory of its target.
struct Edge {
    Edge* next = nullptr;  // written before the edge is published
    Node* target = nullptr;
    union {
        const EdgePattern::Slice* slice;  // in the list of a bundle
        const EdgePattern* pattern;       // in the list of a whole node: its all()
    };
    bool carries_data = false;  // a true dependence: failure propagates along it
    // Which points of the bundle the source consists of: all, or one member of a batch (batch.hpp).
    std::uint8_t first_point = 0;
    std::uint8_t point_mask = 0xff;

    /// Translates points of the bundle to points of the source, as the slice numbers them.
    [[nodiscard]] std::uint32_t source_points(std::uint32_t points) const {
        return (points >> first_point) & point_mask;
    }
};

/// Up to eight points of a node, in one cache line that workers write.
///
///   counts    one byte per point: unfinished predecessors, plus one unit while the launch is being
///             linked
///   state     [ first edge : 48 | failed points : 8 | done points : 8 ]
///
///   launching thread   pushes edges onto the list, counts down after linking (linker.hpp)
///   any worker         runs ready points, walks the list, sets done bits, counts targets down
///                      (finish.hpp)
/// I1  A byte reaches zero exactly once; the thread whose decrement does that owns the point and
///     runs it.
/// I2  Each (edge, point) is accounted for exactly once: by the finishing worker if the edge was in
///     the list when the done bit was set, by the launcher otherwise. For the done bit is set,
///     after the point's effects, by a compare-exchange that expects the list whose edges were
///     served; and an edge is added by a compare-exchange that sees the done bits.
/// I3  A worker leaves the list before it sets its done bits. So when all points are done no worker
///     walks the list, and the node may retire. Nodes retire in launch order, and an edge lives in
///     its target, which is younger: so a list may be walked without further protection.
/// Pairs: the finisher's load and compare-exchange of state with the launcher's compare-exchange
///     (acq_rel): the edge's fields. Every fetch_sub of counts (acq_rel) with the others of the
///     same word: a point sees the effects of all its predecessors.
struct alignas(64) Bundle {
    base::Atomic<std::uint64_t> counts{0};
    base::Atomic<std::uint64_t> state{0};
    Node* node = nullptr;
    std::uint32_t first_point = 0;
    std::uint32_t point_count = 0;
    base::Atomic<std::uint32_t> poisoned{0};  // points not to be run: their input was not produced
    // Of the whole node, in its first bundle:
    base::Atomic<std::uint32_t> finished{0};  // not 0: no worker touches the node any more
    base::Atomic<std::uint32_t> unfinished_bundles{0};  // only if there are several
    base::Atomic<std::uint64_t> whole_state{0};         // as state, for edges from all points
    base::Atomic<const void*> cause{nullptr};  // why points were poisoned or failed; not in a batch
};
static_assert(sizeof(Bundle) == 64, "a bundle is one cache line");

/// One launch in the task graph: its points, their bundles and the function that runs a point. The
/// launching thread fills it in; workers only read it. Rooms above derive from Node to keep data
/// with a launch.
struct Node {
    RunPoints run = nullptr;
    RunPoint skip = nullptr;  // called instead of run for a poisoned point; may be null
    Bundle* bundles = nullptr;
    base::Atomic<std::uint32_t>* wide_counts = nullptr;  // per point, if bytes are too small
    TaskCost* cost = nullptr;
    const std::uint64_t* rearm = nullptr;  // counts to start with again (a static graph), or null
    base::Atomic<const void*>* causes = nullptr;  // of failure: one, or in a batch one per point
    OperationNumber number = 0;
    std::uint32_t point_count = 0;
    std::uint32_t bundle_count = 0;
    bool is_batch = false;         // the node is a Batch (batch.hpp)
    std::uint8_t first_point = 0;  // of a member: its point in the batch

    /// Whether the node is a member of a batch, whose bundle it shares.
    [[nodiscard]] bool is_member() const { return bundles[0].node != this; }
    /// No worker touches the node, or another member of its batch, any more.
    [[nodiscard]] bool is_finished() const {
        return bundles[0].finished.load(std::memory_order_acquire) != 0;
    }
    /// All points have run or were skipped. A member may have run long before it is finished.
    [[nodiscard]] bool has_run() const;
    /// The cause of failure of a point of a bundle; whoever comes first stores it.
    [[nodiscard]] base::Atomic<const void*>& cause(std::uint32_t point) const {
        return is_batch ? causes[point] : *causes;
    }
    /// Not null: some point failed or was skipped. Meaningful once the node has run.
    [[nodiscard]] const void* failure_cause() const {
        return causes->load(std::memory_order_acquire);
    }
};

/// Packs and unpacks Bundle::state.
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

/// Constructs a node's bundles in `memory` (bundles_for(node.point_count) of them), with zero
/// counts.
void prepare_bundles(Node& node, Bundle* memory);

/// Makes the bundles of a node that has finished in lanes, without failures, those of one that has not run.
inline void rearm_bundles(Node& node) {
    for (std::uint32_t b = 0; b < node.bundle_count; ++b)
        node.bundles[b].state.store(0, std::memory_order_relaxed);
    node.bundles[0].finished.store(0, std::memory_order_relaxed);  // not yet shared
}

/// The points whose count is zero, as a mask. Every byte must be below 128.
[[nodiscard]] inline std::uint32_t zero_counts(std::uint64_t counts) {
    const std::uint64_t nonzero = (counts + 0x7f7f7f7f7f7f7f7fU) & 0x8080808080808080U;
    return static_cast<std::uint32_t>(
        ((~nonzero & 0x8080808080808080U) >> 7) * 0x0102040810204080U >> 56);
}
/// The points whose count is not zero, as a mask. Every byte must be below 128.
[[nodiscard]] inline std::uint32_t nonzero_counts(std::uint64_t counts) {
    const std::uint64_t nonzero = (counts + 0x7f7f7f7f7f7f7f7fU) & 0x8080808080808080U;
    return static_cast<std::uint32_t>((nonzero >> 7) * 0x0102040810204080U >> 56);
}
/// The number of points in a mask of eight. std::popcount is a function call on targets without the
/// instruction.
[[nodiscard]] constexpr std::uint32_t count_points(std::uint32_t points) {
    points -= (points >> 1) & 0x55U;
    points = (points & 0x33U) + ((points >> 2) & 0x33U);
    return (points + (points >> 4)) & 0x0fU;
}
[[nodiscard]] inline std::uint32_t all_points(const Bundle& bundle) {
    return (1U << bundle.point_count) - 1;
}
/// A count of one for each of the first `points` points.
[[nodiscard]] inline std::uint64_t unit_counts(std::uint32_t points) {
    return points >= 8 ? 0x0101010101010101U
                       : 0x0101010101010101U & ((std::uint64_t{1} << (8 * points)) - 1);
}

}  // namespace refrain::graph
