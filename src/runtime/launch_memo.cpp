#include "runtime/launch_memo.hpp"

#include "runtime/region_root.hpp"

namespace refrain::runtime {
namespace {

bool same(const data::Coordinates& a, const data::Coordinates& b) {
    return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2])) == 0;
}

std::uint64_t serial_of(const RequirementDescription& requirement) {
    return requirement.partition == nullptr ? 0 : requirement.partition->serial;
}

}  // namespace

const LaunchMemo::Known* LaunchMemo::find(const LaunchDescription& launch) const {
    const Entry& entry = entries_[place(launch)];
    if (entry.kind != launch.cost) return nullptr;
    if (launch.domain_rank != 0 &&  // single tasks have one domain
        (!same(entry.domain.lo, launch.domain.lo) || !same(entry.domain.hi, launch.domain.hi)))
        return nullptr;
    for (std::uint32_t i = 0; i < launch.requirement_count; ++i)
        if (!agrees(entry.keys[i], launch.requirements[i])) return nullptr;
    return may_be_remembered(launch) ? &entry.known : nullptr;
}

void LaunchMemo::remember(const LaunchDescription& launch, const Known& known) {
    if (!may_be_remembered(launch)) return;
    Entry& entry = entries_[place(launch)];
    entry.kind = launch.cost;
    entry.domain = launch.domain;
    for (std::uint32_t i = 0; i < launch.requirement_count; ++i)
        entry.keys[i] = key_of(launch.requirements[i]);
    entry.known = known;
}

void LaunchMemo::clear() {
    entries_.assign(entry_count, {});
}

bool LaunchMemo::may_be_remembered(const LaunchDescription& launch) {
    if (launch.requirement_count == 0 || launch.requirement_count > requirements_max) return false;
    for (std::uint32_t i = 1; i < launch.requirement_count; ++i)
        for (std::uint32_t j = 0; j < i; ++j)
            if (launch.requirements[i].region == launch.requirements[j].region) return false;
    return true;
}

std::size_t LaunchMemo::place(const LaunchDescription& launch) {
    std::uint64_t hash = reinterpret_cast<std::uintptr_t>(launch.cost);
    if (launch.requirement_count != 0) {
        const RequirementDescription& first = launch.requirements[0];
        const std::uint64_t colour = static_cast<std::uint64_t>(
            first.colour[0] + 61 * first.colour[1] + 3721 * first.colour[2]);
        hash += colour * 16 + serial_of(first) * 8;
    }
    return static_cast<std::size_t>((hash * 0x9e3779b97f4a7c15U) >> 56);
}
static_assert(LaunchMemo::requirements_max <= 8, "entries are to stay small");

LaunchMemo::Key LaunchMemo::key_of(const RequirementDescription& requirement) {
    return {serial_of(requirement), requirement.region->space, requirement.colour};
}

bool LaunchMemo::agrees(const Key& key, const RequirementDescription& requirement) {
    return ((key.partition ^ serial_of(requirement)) | (key.space ^ requirement.region->space)) ==
               0 &&
           same(key.colour, requirement.colour);
}

}  // namespace refrain::runtime
