#pragma once

#include "analysis/requirement_shape.hpp"
#include "base/hash.hpp"
#include "refrain/detail/launch_description.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace refrain::runtime {

/// Launches that were checked before: what their requirements were found to be.
///
/// A launch that agrees with a remembered one in its kind (LaunchDescription::cost), domain, and per
/// requirement in partition, colour and bounds of the region has the same shapes, reaches beyond no
/// bounds and does not conflict with itself. Launches that use a region twice are not remembered:
/// whether they conflict depends on more.
///
/// Hot path: one direct-mapped entry; five compares per requirement. Guarded by bench/overhead.
/// Threads:  the launching thread only.
class LaunchMemo {
  public:
    static constexpr std::uint32_t requirements_max = 6;

    struct Requirement {
        analysis::RequirementShape shape;
        const analysis::Footprint* footprint = nullptr;
    };
    struct Known {
        std::array<Requirement, requirements_max> requirements;
        // Of the task, its points, and all that the analysis knows of the requirements.
        base::Hash128 hash;
    };

    LaunchMemo() : entries_(entry_count) {}

    /// What was found for a launch like this one; null if it is not remembered.
    [[nodiscard]] const Known* find(const LaunchDescription& launch) const;
    void remember(const LaunchDescription& launch, const Known& known);
    void clear();

  private:
    static constexpr std::size_t entry_count = 256;

    struct Key {
        std::uint64_t partition = 0;  // serial number
        std::uint64_t space = 0;
        data::Coordinates colour{};
    };
    struct Entry {
        const graph::TaskCost* kind = nullptr;
        data::Box domain;
        std::array<Key, requirements_max> keys;
        Known known;
    };
    [[nodiscard]] static bool may_be_remembered(const LaunchDescription& launch);
    [[nodiscard]] static std::size_t place(const LaunchDescription& launch);
    [[nodiscard]] static Key key_of(const RequirementDescription& requirement);
    [[nodiscard]] static bool agrees(const Key& key, const RequirementDescription& requirement);

    std::vector<Entry> entries_;
};

}  // namespace refrain::runtime
