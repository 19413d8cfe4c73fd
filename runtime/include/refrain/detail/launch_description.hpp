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

namespace refrain::regions {
struct RegionRoot;
struct FutureState;
}  // namespace refrain::regions

namespace refrain::runtime {

/// Colours that a point of the launch domain selects. The function itself is the projection's
/// identity: it must give the same colour for the same point every time.
using Projection = data::Coordinates (*)(const data::Coordinates& point);

/// What the types of a launch say of a region argument.
struct RequirementKind {
    Privilege privilege = Privilege::read;
    bool has_colour = false;          // a launch of one task on the subset of a colour
    Projection projection = nullptr;  // null: the point itself is the colour
    const data::ReductionFunctions* reduction = nullptr;
};

/// A region argument of a launch.
struct RequirementDescription {
    regions::RegionRoot* region;
    const data::PartitionData* partition;  // null: the whole region for every point
    data::Coordinates colour;              // if the kind has one, else zero
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

/// How the callable and its scalars are copied.
struct ClosureKind {
    std::size_t bytes = 0;  // 0: there is nothing to copy
    std::size_t align = 1;
    void (*move)(void* to, void* from) = nullptr;  // null: bytes can be copied
    void (*destroy)(void* closure) = nullptr;      // null: nothing to destroy
};

/// All that the types of a launch say of it. Launches that share one agree in that; its address is
/// its identity.
struct LaunchKind {
    TaskFunction function = nullptr;
    graph::TaskCost* cost = nullptr;
    int domain_rank = 0;  // 0: a single task
    std::uint32_t requirement_count = 0;
    std::uint32_t future_count = 0;
    const RequirementKind* requirements = nullptr;
    ClosureKind closure;
};

struct LaunchDescription {
    LaunchSite site;
    const LaunchKind* kind;
    const data::Box* domain;  // of one point for a single task
    const RequirementDescription* requirements;
    regions::FutureState* const* futures;
    regions::FutureState* result;  // null if the task returns nothing
    void* closure;
};

/// Of a single task.
inline constexpr data::Box single_task_domain{{0, 0, 0}, {1, 1, 1}};

}  // namespace refrain::runtime
