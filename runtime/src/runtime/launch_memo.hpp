#pragma once

#include "runtime/launch_key.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace refrain::runtime {

/// Launches that were checked before: what their requirements were found to be, for launches that
/// agree with them (launch_key.hpp). Launches that use a region twice are not remembered: whether
/// they conflict depends on more.
///
/// Hot path: one direct-mapped entry; five compares per requirement. Guarded by bench/overhead.
/// Threads:  the launching thread only.
class LaunchMemo {
  public:
    static constexpr std::uint32_t requirements_max = 6;

    LaunchMemo() : entries_(entry_count) {}

    /// What was found for a launch like this one, valid until the next is remembered; null if it is
    /// not known.
    [[nodiscard]] const CheckedLaunch* find(const LaunchDescription& launch) const;
    void remember(const LaunchDescription& launch, const CheckedLaunch& checked);
    void clear();

  private:
    static constexpr std::size_t entry_count = 256;

    struct Entry {
        const LaunchKind* kind = nullptr;
        data::Box domain;
        std::array<RequirementKey, requirements_max> keys;
        std::array<CheckedRequirement, requirements_max> requirements;
        CheckedLaunch checked;
    };
    [[nodiscard]] static bool may_be_remembered(const LaunchDescription& launch);
    [[nodiscard]] static std::size_t place(const LaunchDescription& launch);

    std::vector<Entry> entries_;
};

}  // namespace refrain::runtime
