#pragma once

#include "runtime/launch_key.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace refrain::runtime {

/// Cache of check results, for launches with equal kind, domain and keys (launch_key.hpp). Launches
/// that use a region twice are not cached: whether they conflict depends on more.
///
/// Hot path: one direct-mapped entry, five compares per requirement. Guarded by bench/overhead.
/// Threads:  the launching thread only.
class LaunchMemo {
  public:
    static constexpr std::uint32_t requirements_max = 6;

    LaunchMemo() : entries_(entry_count) {}

    /// The cached result, valid until the next remember(); null if there is none.
    [[nodiscard]] const CheckedLaunch* find(const LaunchDescription& launch) const;
    void remember(const LaunchDescription& launch, const CheckedLaunch& checked);
    void clear();

  private:
    static constexpr std::size_t entry_count = 256;

    struct Entry {
        std::uint64_t kind = 0;  // LaunchKind::identity; 0: none
        data::Box domain;
        std::array<RequirementKey, requirements_max> keys;
        std::array<CheckedRequirement, requirements_max> requirements;
        CheckedLaunch checked;
    };
    [[nodiscard]] static bool is_cacheable(const LaunchDescription& launch);
    [[nodiscard]] static std::size_t slot_of(const LaunchDescription& launch);

    std::vector<Entry> entries_;
};

}  // namespace refrain::runtime
