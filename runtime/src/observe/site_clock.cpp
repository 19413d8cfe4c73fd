#include "observe/site_clock.hpp"

#include "base/hash.hpp"

namespace refrain::observe {
namespace {

bool is_same(const LaunchSite& a, const LaunchSite& b) {
    return a.name == b.name && a.file == b.file && a.line == b.line && a.resolver == b.resolver;
}

std::uint64_t hash_of(const LaunchSite& site) {
    base::Hasher hasher;
    hasher.add(reinterpret_cast<std::uintptr_t>(site.name));
    hasher.add(reinterpret_cast<std::uintptr_t>(site.file));
    hasher.add(std::uint64_t{site.line} << 32 | site.resolver);
    return hasher.finish().low;
}

constexpr std::size_t clock_slots = std::size_t{1} << 13;  // at most half of them are used
static_assert(clock_slots >= 2 * SiteClock::sites_max);

}  // namespace

std::uint32_t SiteClock::find(const LaunchSite& site) {
    if (slots_.empty()) slots_.assign(clock_slots, 0);
    std::size_t slot = hash_of(site) % clock_slots;
    for (; slots_[slot] != 0; slot = (slot + 1) % clock_slots)
        if (is_same(entries_[slots_[slot] - 1].site, site)) return slots_[slot] - 1;
    if (entries_.size() == sites_max) return static_cast<std::uint32_t>(sites_max - 1);
    entries_.push_back({site, 0, 0, 0, 0});
    slots_[slot] = static_cast<std::uint32_t>(entries_.size());
    return slots_[slot] - 1;
}

}  // namespace refrain::observe
