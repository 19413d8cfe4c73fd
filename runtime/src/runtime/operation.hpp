#pragma once

#include "analysis/access_history.hpp"
#include "base/atomic.hpp"
#include "base/hash.hpp"
#include "base/prefetch.hpp"
#include "graph/node.hpp"
#include "observe/task_log.hpp"
#include "refrain/detail/launch_description.hpp"
#include "regions/failure.hpp"
#include "regions/future_state.hpp"
#include "regions/region_root.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace refrain::regions {
class FoldOrder;
}

namespace refrain::runtime {

/// Operations with more arguments, or with reductions, take the general path to their tasks.
inline constexpr std::size_t arguments_inline_max = 16;

/// Moves the closure of a launch, which has bytes, to `room`. Errors: what its move throws.
inline void move_closure(const ClosureKind& kind, void* room, void* closure) {
    if (kind.move != nullptr)
        kind.move(room, closure);
    else
        std::memcpy(room, closure, kind.bytes);
}

/// A region argument as workers use it.
struct Argument {
    regions::Storage* storage;
    const analysis::Footprint* footprint;
    const data::ReductionFunctions* reduction;  // null unless the privilege is reduce
    regions::FoldOrder* order;                  // null unless this is a deterministic reduction
    Privilege privilege;
    bool may_be_sparse = false;  // RequirementKind::may_be_sparse
    std::uint32_t part = 0;      // index in `order`; part 0 owns it
};

/// What workers need besides an operation; one per runtime.
struct RunContext {
    graph::RunPoints run = nullptr;  // how points run: run_points or run_watched_points
    regions::SecondaryFailures secondary_failures;
    base::Atomic<observe::TaskLogs*> task_logs{nullptr};  // null if tasks are not logged
    base::Atomic<bool> has_checked_reads{false};          // some task's views looked at marks
};

/// How point numbers map to the launch domain.
enum class DomainShape : std::uint8_t { single_task, line, box };

/// Byte offsets of an operation's parts in its block of memory. The Operation comes first, followed
/// by the domain of an index launch, the callable with its scalars, and the arguments.
struct OperationLayout {
    std::uint32_t closure = 0;
    std::uint32_t arguments = 0;
    std::uint32_t bytes = 0;  // size of the block
};

/// One launch, from the program's call to its retirement. Built once, in memory that retires with
/// it; the graph's node is its base. Workers read it; after issue only the graph writes it.
///
///     | Node, flags, function, closure, arguments, values | site, domain, futures ... |
///     |                    two lines                      |
///     | callable and scalars | arguments | shapes | regions |
///
/// Hot path: it starts at a cache line, and its first two lines hold what every task needs: a line
/// that a worker has read must be transferred back from that core before it is written again.
struct Operation : graph::Node {
    DomainShape domain_shape = DomainShape::single_task;
    bool is_general = false;  // has reductions or more than arguments_inline_max arguments
    bool is_fence = false;
    bool needs_cleanup = false;  // owns something that is released when it retires
    bool is_kept = false;        // the record serves a later turn of its loop (kept_records.hpp)
    bool was_in_lanes = false;   // likewise: its bundles are as lanes leave them
    std::uint32_t argument_count = 0;
    std::uint32_t result_bytes = 0;
    TaskFunction function = nullptr;
    void* closure = nullptr;
    Argument* first_argument = nullptr;
    const void** future_values = nullptr;  // behind the futures themselves
    std::byte* result_values = nullptr;

    // Read by points of index launches and by failing tasks:
    const data::Box* domain = nullptr;  // null: a single task
    RunContext* context = nullptr;
    LaunchSite site;
    std::uint32_t site_number = 0;  // for the observer, if it times the tasks

    // Read by the launching thread only:
    std::uint32_t future_count = 0;
    regions::FutureState* result = nullptr;
    void (*destroy_closure)(void* closure) = nullptr;
    const void* task = nullptr;  // LaunchKind::identity; null: a fence
    base::Hash128 hash;          // of everything that affects the analysis, except region names

    [[nodiscard]] std::span<Argument> arguments() const { return {first_argument, argument_count}; }
    /// Behind the arguments.
    [[nodiscard]] std::span<analysis::RequirementShape> shapes() const {
        return {reinterpret_cast<analysis::RequirementShape*>(first_argument + argument_count),
                argument_count};
    }
    /// Behind the shapes: the RegionRoots, as the base class that the analysis uses.
    [[nodiscard]] std::span<analysis::RegionHistory*> regions() const {
        return {reinterpret_cast<analysis::RegionHistory**>(shapes().data() + argument_count),
                argument_count};
    }
    [[nodiscard]] regions::RegionRoot& root(std::size_t argument) const {
        return static_cast<regions::RegionRoot&>(*regions()[argument]);
    }
    [[nodiscard]] std::span<regions::FutureState*> futures() const {
        void** const values = const_cast<void**>(future_values);
        return {reinterpret_cast<regions::FutureState**>(values - future_count), future_count};
    }

    /// Of a kept record: its bundles lie in front of it.
    [[nodiscard]] graph::Bundle* kept_bundles() {
        return reinterpret_cast<graph::Bundle*>(this) - graph::bundles_for(point_count);
    }

    /// Destroys what the operation owns. It has retired, or will never run.
    void release_owned() noexcept;

    /// Memory behind the callable, per argument.
    static constexpr std::size_t bytes_per_argument =
        sizeof(Argument) + sizeof(analysis::RequirementShape) + sizeof(analysis::RegionHistory*);
};
static_assert(sizeof(Argument) % alignof(analysis::RequirementShape) == 0 &&
                  sizeof(analysis::RequirementShape) % alignof(analysis::RegionHistory*) == 0,
              "arguments, shapes and regions are adjacent without padding");
static_assert((sizeof(Operation) + sizeof(data::Box)) % base::line_bytes + sizeof(Argument) +
                      offsetof(Argument, reduction) <=
                  base::line_bytes,
              "the members of two arguments that each task reads lie in one line");

}  // namespace refrain::runtime
