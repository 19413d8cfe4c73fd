#include "runtime/launch_memo.hpp"

#include <algorithm>

namespace refrain::runtime {

const CheckedLaunch* LaunchMemo::find(const LaunchDescription& launch) const {
    const Entry& entry = entries_[slot_of(launch)];
    if (entry.kind != launch.kind->identity) return nullptr;
    if (launch.kind->domain_rank != 0 && !same(entry.domain, *launch.domain))
        return nullptr;  // all single tasks have the same domain
    const std::uint32_t count = launch.kind->requirement_count;
    const RequirementKey* const keys = keys_of(entry, count);
    for (std::uint32_t i = 0; i < count; ++i)
        if (!keys[i].agrees(launch.requirements[i])) return nullptr;
    const bool alike =
        entry.shares_regions ? shares_regions_alike(launch, keys) : uses_each_region_once(launch);
    return alike ? &entry.checked : nullptr;
}

/// A requirement is the first on its region, or uses that of its first: then equal regions mean equal
/// firsts as soon as the regions of all firsts differ.
bool LaunchMemo::shares_regions_alike(const LaunchDescription& launch, const RequirementKey* keys) {
    for (std::uint32_t i = 1; i < launch.kind->requirement_count; ++i) {
        const regions::RegionRoot* region = launch.requirements[i].region;
        if (keys[i].first != i) {
            if (region != launch.requirements[keys[i].first].region) return false;
            continue;
        }
        for (std::uint32_t j = 0; j < i; ++j)
            if (keys[j].first == j && region == launch.requirements[j].region) return false;
    }
    return true;
}

void LaunchMemo::take_keys(RequirementKey* keys, const LaunchDescription& launch) {
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i)
        keys[i] = RequirementKey::of(launch.requirements[i], first_on_same_region(launch, i));
}

void LaunchMemo::remember(const LaunchDescription& launch, const CheckedLaunch& checked) {
    const std::uint32_t count = launch.kind->requirement_count;
    if (count == 0 || count > requirements_max) return;
    Entry& entry = entries_[slot_of(launch)];
    entry.kind = launch.kind->identity;
    entry.domain = *launch.domain;
    entry.shares_regions = !uses_each_region_once(launch);
    CheckedRequirement* requirements = entry.few_requirements.data();
    RequirementKey* keys = entry.few_keys.data();
    if (count > few) {
        entry.many_keys.resize(count);
        entry.many_requirements.resize(count);
        keys = entry.many_keys.data();
        requirements = entry.many_requirements.data();
    }
    take_keys(keys, launch);
    std::copy_n(checked.requirements, count, requirements);
    entry.checked = checked;
    entry.checked.requirements = requirements;
}

void LaunchMemo::clear() {
    entries_.assign(entry_count, {});
}

/// Kinds made at run time are used with many partitions each, so all of these count.
std::size_t LaunchMemo::slot_of(const LaunchDescription& launch) {
    std::uint64_t hash =
        reinterpret_cast<std::uintptr_t>(launch.kind->identity) * 0xd6e8feb86659fd93U;
    if (launch.kind->requirement_count != 0) {
        const RequirementDescription& first = launch.requirements[0];
        const std::uint64_t colour = static_cast<std::uint64_t>(
            first.colour[0] + 61 * first.colour[1] + 3721 * first.colour[2]);
        hash += colour * 16 + RequirementKey::partition_of(first) * 8;
    }
    if (is_known_by_number(*launch.kind)) hash = slot_hash_of_all(launch, hash);
    return static_cast<std::size_t>((hash * 0x9e3779b97f4a7c15U) >> 56);
}

std::uint64_t LaunchMemo::slot_hash_of_all(const LaunchDescription& launch, std::uint64_t hash) {
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i) {
        const RequirementDescription& used = launch.requirements[i];
        hash = (hash ^ (RequirementKey::partition_of(used) + used.region->space)) *
               0xd6e8feb86659fd93U;
        hash += static_cast<std::uint64_t>(used.colour[0]);
    }
    return hash;
}
static_assert(LaunchMemo::entry_count == 256, "a slot is eight bits");

}  // namespace refrain::runtime
