#include "runtime/launch_memo.hpp"

#include <algorithm>

namespace refrain::runtime {

const CheckedLaunch* LaunchMemo::find(const LaunchDescription& launch) const {
    const Entry& entry = entries_[slot_of(launch)];
    if (entry.kind != launch.kind->identity()) return nullptr;
    if (launch.kind->domain_rank != 0 && !same(entry.domain, *launch.domain))
        return nullptr;  // all single tasks have the same domain
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i)
        if (!entry.keys[i].agrees(launch.requirements[i])) return nullptr;
    if (!is_cacheable(launch)) return nullptr;
    return &entry.checked;
}

void LaunchMemo::remember(const LaunchDescription& launch, const CheckedLaunch& checked) {
    if (!is_cacheable(launch)) return;
    Entry& entry = entries_[slot_of(launch)];
    entry.kind = launch.kind->identity();
    entry.domain = *launch.domain;
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i)
        entry.keys[i] = RequirementKey::of(launch.requirements[i]);
    std::copy_n(checked.requirements, launch.kind->requirement_count, entry.requirements.begin());
    entry.checked = checked;
    entry.checked.requirements = entry.requirements.data();
}

void LaunchMemo::clear() {
    entries_.assign(entry_count, {});
}

bool LaunchMemo::is_cacheable(const LaunchDescription& launch) {
    return launch.kind->requirement_count != 0 &&
           launch.kind->requirement_count <= requirements_max && uses_each_region_once(launch);
}

std::size_t LaunchMemo::slot_of(const LaunchDescription& launch) {
    std::uint64_t hash = launch.kind->identity() * 0xd6e8feb86659fd93U;
    if (launch.kind->requirement_count != 0) {
        const RequirementDescription& first = launch.requirements[0];
        const std::uint64_t colour = static_cast<std::uint64_t>(
            first.colour[0] + 61 * first.colour[1] + 3721 * first.colour[2]);
        hash += colour * 16 + RequirementKey::partition_of(first) * 8;
    }
    return static_cast<std::size_t>((hash * 0x9e3779b97f4a7c15U) >> 56);
}
static_assert(LaunchMemo::requirements_max <= 8, "entries must stay small");

}  // namespace refrain::runtime
