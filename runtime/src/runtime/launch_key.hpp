#pragma once

#include "analysis/requirement_shape.hpp"
#include "base/hash.hpp"
#include "refrain/detail/launch_description.hpp"
#include "regions/region_root.hpp"
#include "runtime/operation.hpp"

#include <cstdint>

namespace refrain::runtime {

/// A launch that agrees with another one in its kind (LaunchKind), domain, and per
/// requirement in this has the same shapes, reaches beyond no bounds and does not conflict with
/// itself, provided that both use no region twice.
struct RequirementKey {
    std::uint64_t partition = 0;  // its number; 0: none
    std::uint64_t space = 0;
    data::Coordinates colour{};

    [[nodiscard]] static std::uint64_t partition_of(const RequirementDescription& requirement) {
        return requirement.partition == nullptr ? 0 : requirement.partition->number;
    }
    [[nodiscard]] static RequirementKey of(const RequirementDescription& requirement) {
        return {partition_of(requirement), requirement.region->space, requirement.colour};
    }
    [[nodiscard]] bool agrees(const RequirementDescription& requirement) const {
        return ((partition ^ partition_of(requirement)) | (space ^ requirement.region->space)) ==
                   0 &&
               data::same(colour, requirement.colour);
    }
};

/// Whether all that can be wrong with a launch is told by its kind, its domain and its keys.
[[nodiscard]] inline bool uses_each_region_once(const LaunchDescription& launch) {
    for (std::uint32_t i = 1; i < launch.kind->requirement_count; ++i)
        for (std::uint32_t j = 0; j < i; ++j)
            if (launch.requirements[i].region == launch.requirements[j].region) return false;
    return true;
}

/// What a requirement was found to be.
struct CheckedRequirement {
    analysis::RequirementShape shape;
    const analysis::Footprint* footprint = nullptr;
};

/// What a launch was found to be. A loan from whoever found it.
struct CheckedLaunch {
    const CheckedRequirement* requirements = nullptr;
    std::uint32_t points = 0;
    OperationLayout layout;
    base::Hash128 hash;  // of the task, its points, and all that the analysis knows of requirements
};

}  // namespace refrain::runtime
