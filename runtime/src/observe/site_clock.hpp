#pragma once

#include "page/site_table.hpp"

#include <cstdint>
#include <vector>

namespace refrain::observe {

/// Adds up what the timed tasks of each launch site took, on one thread.
///
/// Bounded: as many entries as a page::SiteTable has sites.
///
/// Threads:  one writer; readers only after it has stopped.
class SiteClock {
  public:
    struct Entry {
        std::uint64_t timed = 0;  // tasks
        double tasks = 0;         // that these stand for
        double ticks = 0;         // of those, an estimate
        std::uint64_t longest = 0;
    };

    /// One task, which stands for `weight` tasks.
    void ran(page::SiteId site, std::uint64_t ticks, double weight) {
        if (site >= entries_.size()) entries_.resize(site + 1);
        Entry& entry = entries_[site];
        ++entry.timed;
        entry.tasks += weight;
        entry.ticks += weight * static_cast<double>(ticks);
        if (ticks > entry.longest) entry.longest = ticks;
    }
    /// By launch site; those beyond have run nothing.
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  private:
    std::vector<Entry> entries_;
};

}  // namespace refrain::observe
