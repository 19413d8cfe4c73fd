#pragma once

#include "analysis/access_history.hpp"
#include "base/hash.hpp"
#include "base/prefetch.hpp"
#include "graph/node.hpp"
#include "refrain/detail/launch_description.hpp"
#include "report/task_log.hpp"
#include "runtime/failure.hpp"
#include "runtime/future_state.hpp"
#include "runtime/region_root.hpp"

#include <cstdint>
#include <span>

namespace refrain::runtime {

class FoldOrder;

/// Operations with more arguments, or with reductions, take a longer way to their tasks.
inline constexpr std::size_t arguments_inline_max = 16;

/// A region argument as workers use it.
struct Argument {
    Storage* storage;
    const analysis::Footprint* footprint;
    const data::ReductionFunctions* reduction;  // null unless the privilege is reduce
    FoldOrder* order;  // deterministic reductions: whose turn it is to fold
    Privilege privilege;
    std::uint32_t part = 0;  // of the order, which the first part owns
};

/// What workers need besides an operation, the same for all of a runtime.
struct RunContext {
    LateFailures late_failures;
    report::TaskLogs* task_logs = nullptr;  // null if nobody asked for them
};

/// How a launch counts its points.
enum class DomainShape : std::uint8_t { single_task, line, box };

/// One launch, from the program's call to its retirement. Built once, in memory that retires with
/// it; the graph's node is its first part. Workers read it; nobody writes it after it was issued
/// but the graph.
///
/// What every task needs lies in the first two lines, and what only the launching thread looks at in
/// the last ones: a line that a worker has read must be asked back from its core to be written again.
struct alignas(base::line_bytes) Operation : graph::Node {
    DomainShape domain_shape = DomainShape::single_task;
    bool is_general = false;  // has reductions, or very many arguments
    bool is_fence = false;
    bool needs_cleanup = false;  // something must be let go when it retires
    TaskFunction function = nullptr;
    void* closure = nullptr;
    std::span<Argument> arguments;
    const void** future_values = nullptr;
    std::byte* result_values = nullptr;

    // For the points of an index launch, and for tasks that fail:
    std::uint32_t result_bytes = 0;
    data::Box domain;
    LaunchSite site;
    RunContext* context = nullptr;

    // For the launching thread:
    base::Hash128 hash;  // of everything that can affect the analysis but the names of regions
    std::span<analysis::RequirementShape> shapes;
    std::span<analysis::RegionHistory*> histories;
    std::span<RegionRoot*> roots;
    std::span<FutureState*> futures;
    FutureState* result = nullptr;
    void (*destroy_closure)(void* closure) = nullptr;
};

}  // namespace refrain::runtime
