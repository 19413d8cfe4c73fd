#pragma once

#include "analysis/requirement_shape.hpp"
#include "base/hash.hpp"
#include "graph/cost_table.hpp"
#include "refrain/detail/launch_description.hpp"
#include "regions/region_root.hpp"
#include "runtime/operation.hpp"

#include <cstdint>

namespace refrain::runtime {

struct LaunchRecords;

/// What identifies a requirement among launches of one kind.
///
/// Let two launches have equal kinds (LaunchKind), domains and keys of all requirements. If one is
/// valid, so is the other, and their shapes are equal:
///   - a shape is a privilege and an operator, which the kind has, and a footprint, which partition,
///     domain and colour determine, or for a whole region its bounds, which the space determines;
///   - bounds are checked of a footprint and a space;
///   - points conflict through one requirement alone if its shape says so, and through two if they
///     use one region and the two shapes say so. Which requirements use one region is what their
///     `first` tell: two do exactly if these are equal.
struct RequirementKey {
    std::uint64_t partition = 0;  // its id; 0: none
    std::uint32_t space = 0;
    std::uint32_t first = 0;  // the first requirement of the launch on the same region
    data::Coordinates colour{};

    [[nodiscard]] static std::uint64_t partition_of(const RequirementDescription& requirement) {
        return requirement.partition == nullptr ? 0 : requirement.partition->id;
    }
    [[nodiscard]] static RequirementKey of(const RequirementDescription& requirement,
                                           std::uint32_t first) {
        return {.partition = partition_of(requirement),
                .space = requirement.region->space,
                .first = first,
                .colour = requirement.colour};
    }
    /// Whether all but `first` is that of the requirement.
    [[nodiscard]] bool agrees(const RequirementDescription& requirement) const {
        return ((partition ^ partition_of(requirement)) | (space ^ requirement.region->space)) ==
                   0 &&
               data::same(colour, requirement.colour);
    }
};

/// Launches with more requirements are checked whenever they come.
inline constexpr std::uint32_t remembered_requirements_max = 64;

/// The first requirement of the launch on the same region as requirement `index`.
[[nodiscard]] inline std::uint32_t first_on_same_region(const LaunchDescription& launch,
                                                        std::uint32_t index) {
    std::uint32_t first = 0;
    while (launch.requirements[first].region != launch.requirements[index].region) ++first;
    return first;
}

[[nodiscard]] inline bool uses_each_region_once(const LaunchDescription& launch) {
    for (std::uint32_t i = 1; i < launch.kind->requirement_count; ++i)
        for (std::uint32_t j = 0; j < i; ++j)
            if (launch.requirements[i].region == launch.requirements[j].region) return false;
    return true;
}

/// The result of checking a requirement.
struct CheckedRequirement {
    analysis::RequirementShape shape;
    const analysis::Footprint* footprint = nullptr;
};

/// Where the cost of a checked launch is measured: of the launch that was checked. One that agrees
/// with it may come from another launch site or call another function.
struct CheckedCost {
    graph::TaskCost* cost = nullptr;
    std::uintptr_t function = 0;  // as CostKey
    std::uint32_t line = 0;       // likewise
    std::uint32_t size_class = 0;

    friend bool operator==(const CheckedCost&, const CheckedCost&) = default;
};

/// The result of checking a launch. `requirements` is borrowed from whoever checked it.
struct CheckedLaunch {
    const CheckedRequirement* requirements = nullptr;
    std::uint32_t points = 0;
    std::uint32_t links_max = 0;  // in a loop: the longest link; a window if one leads nowhere
    OperationLayout layout;
    base::Hash128 hash;  // of task, point count and shapes
    CheckedCost cost;
    LaunchRecords* records = nullptr;  // that its turns use in lanes; null: it keeps none
    // Of a launch that may be direct (direct_launch.hpp), those of all requirements of its operations, which those
    // of reductions are not always (OperationBuilder::add_fold_order); else null.
    const analysis::RequirementShape* shapes = nullptr;
    bool reduces = false;  // such a launch: through some requirements
};

}  // namespace refrain::runtime
