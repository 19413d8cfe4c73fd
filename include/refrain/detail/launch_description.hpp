/// A launch with its types forgotten: what the typed interface hands to the runtime.
///
/// Everything is a loan for the duration of the call: the runtime copies what it keeps.
#pragma once

#include "refrain/detail/box_set.hpp"
#include "refrain/detail/partition_data.hpp"
#include "refrain/detail/reduction_table.hpp"
#include "refrain/detail/task_cost.hpp"
#include "refrain/launch_site.hpp"
#include "refrain/privilege.hpp"

#include <cstddef>
#include <cstdint>

namespace refrain::runtime {

class Core;
struct RegionRoot;
struct FutureState;

/// Colours that a point of the launch domain selects. The function itself is the projection's
/// identity: it must give the same colour for the same point every time.
using Projection = data::Coordinates (*)(const data::Coordinates& point);

/// A region argument of a launch.
struct RequirementDescription {
    RegionRoot* region = nullptr;
    const data::PartitionData* partition = nullptr;  // null: the whole region for every point
    Projection projection = nullptr;                 // null: the point itself is the colour
    bool has_colour = false;  // a launch of one task on the subset of `colour`
    data::Coordinates colour{};
    Privilege privilege = Privilege::read;
    const data::ReductionFunctions* reduction = nullptr;
};

/// A region argument as one point task gets it.
struct TaskArgument {
    void* elements;  // of `bounds`, row-major; for a reduction of the subset's bounds
    const data::Box* bounds;
    const data::BoxSet* subset;
};

/// What a point task is called with.
struct TaskFrame {
    const TaskArgument* arguments;
    void* closure;               // the callable and its scalars
    const void* const* futures;  // values
    void* result;                // room for the value that the task returns
    data::Coordinates point;
};
using TaskFunction = void (*)(const TaskFrame& frame);

/// The callable and its scalars, to be copied.
struct ClosureDescription {
    void* from = nullptr;
    std::size_t bytes = 0;
    std::size_t align = 1;
    void (*move)(void* to, void* from) = nullptr;  // null: bytes can be copied
    void (*destroy)(void* closure) = nullptr;      // null: nothing to destroy
};

struct LaunchDescription {
    LaunchSite site;
    TaskFunction function = nullptr;
    /// Of this kind of launch. Those that share it agree in all that types say: the function, the
    /// rank of the domain, and per requirement privilege, operator, projection and whether it has a
    /// colour.
    graph::TaskCost* cost = nullptr;
    data::Box domain;
    int domain_rank = 0;  // 0: a single task
    const RequirementDescription* requirements = nullptr;
    std::uint32_t requirement_count = 0;
    FutureState* const* futures = nullptr;
    std::uint32_t future_count = 0;
    FutureState* result = nullptr;
    ClosureDescription closure;
};

}  // namespace refrain::runtime
