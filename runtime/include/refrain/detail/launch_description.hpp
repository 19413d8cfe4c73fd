/// A type-erased launch: what the typed interface passes to the runtime.
///
/// Pointers need to be valid during the call only: the runtime copies what it keeps. A LaunchKind
/// known by its address, and what it points to, must outlive the runtime. One known by a number may end
/// after any launch, except for what its reductions point to. Tasks may run during the call.
#pragma once

#include "refrain/detail/box_set.hpp"
#include "refrain/detail/partition_data.hpp"
#include "refrain/detail/reduction_table.hpp"
#include "refrain/launch_site.hpp"
#include "refrain/privilege.hpp"

#include <cstddef>
#include <cstdint>

namespace refrain::regions {
struct RegionRoot;
struct FutureState;
}  // namespace refrain::regions

namespace refrain::data {
class SparsePartial;
}

namespace refrain::runtime {

/// Maps a point of the launch domain to a colour. Must be pure; identified by its address.
using Projection = data::Coordinates (*)(const data::Coordinates& point);

/// The part of a region argument that the launch's types determine.
struct RequirementKind {
    Privilege privilege = Privilege::read;
    bool has_colour = false;          // a single task on the subset of one colour
    bool may_be_sparse = false;       // the task looks at TaskArgument::sparse
    Projection projection = nullptr;  // null: the point itself is the colour
    const data::ReductionFunctions* reduction = nullptr;
};

/// A region argument of a launch.
struct RequirementDescription {
    regions::RegionRoot* region;
    const data::PartitionData* partition;  // null: the whole region for every point
    data::Coordinates colour;              // zero without RequirementKind::has_colour
};

/// A region argument of one point task.
struct TaskArgument {
    void* elements;           // of `bounds`, row-major
    const data::Box* bounds;  // of the region; for a private reduction buffer, of the subset
    const data::BoxSet* subset;
    /// Of reductions only: if not null, values go here, and `elements` is null.
    data::SparsePartial* sparse;
};

/// The arguments of one point task.
struct TaskFrame {
    const TaskArgument* arguments;
    void* closure;               // the callable and its scalars
    const void* const* futures;  // values
    void* result;                // memory for the returned value
    data::Coordinates point;
};
using TaskFunction = void (*)(const TaskFrame& frame);

/// How the callable and its scalars are moved and destroyed.
struct ClosureKind {
    std::size_t bytes = 0;  // 0: no state
    std::size_t align = 1;
    void (*move)(void* to, void* from) = nullptr;  // null: copy the bytes
    void (*destroy)(void* closure) = nullptr;      // null: trivial
};

/// The part of a launch that its types determine.
struct LaunchKind {
    TaskFunction function = nullptr;
    int domain_rank = 0;  // 0: a single task
    std::uint32_t requirement_count = 0;
    std::uint32_t future_count = 0;
    const RequirementKind* requirements = nullptr;
    ClosureKind closure;
    bool calls_pointer = false;  // the closure begins with the address of a function
    /// What the kind is known by: itself, or a number (identity_of). Never dereferenced.
    const void* identity = nullptr;
};

/// The identity of a kind that is known by a number, from 1 on, which no other kind of the process ever
/// has. No kind that is known by its address has it: addresses are even.
[[nodiscard]] inline const void* identity_of(std::uint64_t number) {
    return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(number * 2 + 1));
}
[[nodiscard]] inline bool is_known_by_number(const LaunchKind& kind) {
    return (reinterpret_cast<std::uintptr_t>(kind.identity) & 1U) != 0;
}

struct LaunchDescription {
    LaunchSite site;
    const LaunchKind* kind;
    const data::Box* domain;  // single_task_domain for a single task
    const RequirementDescription* requirements;
    regions::FutureState* const* futures;
    regions::FutureState* result;  // null: the task returns nothing
    void* closure;
};

inline constexpr data::Box single_task_domain{.lo = {0, 0, 0}, .hi = {1, 1, 1}};

}  // namespace refrain::runtime
