#pragma once

#include "refrain/launch_site.hpp"

#include <cstdint>
#include <vector>

namespace refrain::observe {

/// Adds up what the timed tasks of each launch site took, on one thread.
///
/// Bounded: sites beyond `sites_max` share the last entry.
///
/// Threads:  one writer; readers only after it has stopped.
class SiteClock {
  public:
    static constexpr std::size_t sites_max = 4096;

    struct Entry {
        LaunchSite site;
        std::uint64_t timed = 0;  // tasks
        double tasks = 0;         // that these stand for
        double ticks = 0;         // of those, an estimate
        std::uint64_t longest = 0;
    };

    /// One task, which stands for `weight` tasks. Returns the index of its entry.
    std::uint32_t ran(const LaunchSite& site, std::uint64_t ticks, double weight) {
        const std::uint32_t index = find(site);
        Entry& entry = entries_[index];
        ++entry.timed;
        entry.tasks += weight;
        entry.ticks += weight * static_cast<double>(ticks);
        if (ticks > entry.longest) entry.longest = ticks;
        return index;
    }
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  private:
    std::uint32_t find(const LaunchSite& site);

    std::vector<Entry> entries_;
    std::vector<std::uint32_t> slots_;  // open addressing: 1 + index; 0: free
};

}  // namespace refrain::observe
