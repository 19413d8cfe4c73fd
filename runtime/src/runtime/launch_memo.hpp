#pragma once

#include "runtime/launch_key.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace refrain::runtime {

/// Cache of check results, for launches with equal kind, domain and keys (launch_key.hpp).
///
/// Hot path: one direct-mapped entry, five compares per requirement, and which of them share a
///           region. Guarded by bench/overhead.
/// Threads:  the launching thread only.
class LaunchMemo {
  public:
    static constexpr std::uint32_t requirements_max = remembered_requirements_max;
    static constexpr std::size_t entry_count = 256;

    LaunchMemo() : entries_(entry_count) {}

    /// The cached result, valid until the next remember(); null if there is none.
    [[nodiscard]] const CheckedLaunch* find(const LaunchDescription& launch) const;
    void remember(const LaunchDescription& launch, const CheckedLaunch& checked);
    void clear();

  private:
    static constexpr std::size_t few = 6;

    struct Entry {
        const void* kind = nullptr;  // LaunchKind::identity
        data::Box domain;
        bool shares_regions = false;  // among its requirements
        std::array<RequirementKey, few> few_keys;
        std::array<CheckedRequirement, few> few_requirements;
        std::vector<RequirementKey> many_keys;  // of more than `few`; they keep their memory
        std::vector<CheckedRequirement> many_requirements;
        CheckedLaunch checked;
    };
    /// `count` of them.
    [[nodiscard]] static const RequirementKey* keys_of(const Entry& entry, std::uint32_t count) {
        return count <= few ? entry.few_keys.data() : entry.many_keys.data();
    }
    [[nodiscard]] static bool shares_regions_alike(const LaunchDescription& launch,
                                                   const RequirementKey* keys);
    static void take_keys(RequirementKey* keys, const LaunchDescription& launch);
    [[nodiscard]] static std::size_t slot_of(const LaunchDescription& launch);
    [[nodiscard]] static std::uint64_t slot_hash_of_all(const LaunchDescription& launch,
                                                        std::uint64_t hash);

    std::vector<Entry> entries_;
};

}  // namespace refrain::runtime
