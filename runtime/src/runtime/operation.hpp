#pragma once

#include "analysis/access_history.hpp"
#include "base/hash.hpp"
#include "base/prefetch.hpp"
#include "graph/node.hpp"
#include "observe/task_log.hpp"
#include "refrain/detail/launch_description.hpp"
#include "regions/failure.hpp"
#include "regions/future_state.hpp"
#include "regions/region_root.hpp"

#include <cstdint>
#include <span>

namespace refrain::regions {
class FoldOrder;
}

namespace refrain::runtime {

/// Operations with more arguments, or with reductions, take a longer way to their tasks.
inline constexpr std::size_t arguments_inline_max = 16;

/// A region argument as workers use it.
struct Argument {
    regions::Storage* storage;
    const analysis::Footprint* footprint;
    const data::ReductionFunctions* reduction;  // null unless the privilege is reduce
    regions::FoldOrder* order;  // deterministic reductions: whose turn it is to fold
    Privilege privilege;
    std::uint32_t part = 0;  // of the order, which the first part owns
};

/// What workers need besides an operation, the same for all of a runtime.
struct RunContext {
    regions::SecondaryFailures secondary_failures;
    observe::TaskLogs* task_logs = nullptr;  // null if nobody asked for them
};

/// How a launch counts its points.
enum class DomainShape : std::uint8_t { single_task, line, box };

/// Where the parts of an operation lie in one piece of memory, in bytes from its beginning: behind
/// it its domain, if it is an index launch; its callable and scalars; its arguments.
struct OperationLayout {
    std::uint32_t closure = 0;
    std::uint32_t arguments = 0;
    std::uint32_t bytes = 0;  // in all
};

/// One launch, from the program's call to its retirement. Built once, in memory that retires with
/// it; the graph's node is its first part. Workers read it; nobody writes it after it was issued
/// but the graph.
///
///     | Node, flags, function, closure, arguments, values | site, domain, futures ... |
///     |                    two lines                      |
///     | callable and scalars | arguments | shapes | regions |
///
/// It lies at the beginning of a line, and what every task needs in its first two. A line that a
/// worker has read must be asked back from its core to be written again.
struct Operation : graph::Node {
    DomainShape domain_shape = DomainShape::single_task;
    bool is_general = false;  // has reductions, or very many arguments
    bool is_fence = false;
    bool needs_cleanup = false;  // something must be let go when it retires
    std::uint32_t argument_count = 0;
    std::uint32_t result_bytes = 0;
    TaskFunction function = nullptr;
    void* closure = nullptr;
    Argument* first_argument = nullptr;
    const void** future_values = nullptr;
    std::byte* result_values = nullptr;

    // For the points of an index launch, and for tasks that fail:
    const data::Box* domain = nullptr;  // null: a single task
    RunContext* context = nullptr;
    LaunchSite site;

    // For the launching thread:
    std::uint32_t future_count = 0;
    regions::FutureState** first_future = nullptr;
    regions::FutureState* result = nullptr;
    void (*destroy_closure)(void* closure) = nullptr;
    base::Hash128 hash;  // of everything that can affect the analysis but the names of regions

    [[nodiscard]] std::span<Argument> arguments() const { return {first_argument, argument_count}; }
    /// Behind the arguments.
    [[nodiscard]] std::span<analysis::RequirementShape> shapes() const {
        return {reinterpret_cast<analysis::RequirementShape*>(first_argument + argument_count),
                argument_count};
    }
    /// Behind the shapes: RegionRoots, as the analysis sees them.
    [[nodiscard]] std::span<analysis::RegionHistory*> regions() const {
        return {reinterpret_cast<analysis::RegionHistory**>(shapes().data() + argument_count),
                argument_count};
    }
    [[nodiscard]] regions::RegionRoot& root(std::size_t argument) const {
        return static_cast<regions::RegionRoot&>(*regions()[argument]);
    }
    [[nodiscard]] std::span<regions::FutureState*> futures() const {
        return {first_future, future_count};
    }

    /// What lies behind the callable, per argument.
    static constexpr std::size_t bytes_per_argument =
        sizeof(Argument) + sizeof(analysis::RequirementShape) + sizeof(analysis::RegionHistory*);
};
static_assert(sizeof(Argument) % alignof(analysis::RequirementShape) == 0 &&
                  sizeof(analysis::RequirementShape) % alignof(analysis::RegionHistory*) == 0,
              "arguments, shapes and regions follow one another without gaps");

}  // namespace refrain::runtime
