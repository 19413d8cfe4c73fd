#pragma once

#include "analysis/access_history.hpp"
#include "base/hash.hpp"
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

/// One launch, from the program's call to its retirement. Built once, in memory that retires with
/// it; the graph's node is its first part. Workers read it; nobody writes it after it was issued
/// but the graph.
struct Operation : graph::Node {
    LaunchSite site;
    TaskFunction function = nullptr;
    void* closure = nullptr;
    std::span<Argument> arguments;
    std::span<const void*> future_values;
    std::byte* result_values = nullptr;
    std::uint32_t result_bytes = 0;
    bool one_dimensional = true;  // the launch domain: points need no division
    bool is_fence = false;
    bool is_general = false;     // has reductions, or very many arguments
    bool needs_cleanup = false;  // something must be let go when it retires
    data::Box domain;
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
