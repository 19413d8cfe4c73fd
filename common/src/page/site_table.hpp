#pragma once

#include "base/hash.hpp"
#include "refrain/why_not_traced.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace refrain::page {

/// Names a launch site within one SiteTable: 0, 1, 2, ... in the order of first use.
using SiteId = std::uint32_t;

/// How an operation was served, and what a report needs to know about it.
struct Served {
    enum class How : std::uint8_t { analysed, recorded, replayed };
    How how = How::analysed;
    NotReplayed reason = NotReplayed::automatic_tracing_off;  // means nothing if it was replayed
    std::uint64_t number = 0;
    std::uint32_t points = 0;
    std::uint64_t launched_behind = 0;  // later operations launched before this one was issued
};

/// Counts per launch site how its operations were served.
///
/// Sites beyond `sites_max` share one entry, "all further launch sites".
///
/// Hot path: if a report was asked for, one comparison in a direct-mapped cache and a few additions
/// per operation.
/// Threads:  the launching thread only.
class SiteTable {
  public:
    static constexpr std::size_t sites_max = 4096;

    [[nodiscard]] SiteId find(const LaunchSite& site) {
        const Recent& recent = recent_[slot_of(site)];
        const bool known = recent.site.name == site.name && recent.site.file == site.file &&
                           recent.site.line == site.line && recent.site.resolver == site.resolver;
        return known && recent.id != none ? recent.id : find_by_text(site);
    }

    void count(SiteId id, const Served& served) {
        LaunchSiteReport& site = sites_[id];
        ++site.operations;
        site.tasks += served.points;
        if (served.launched_behind != 0) {
            ++site.held_back;
            held_sums_[id] += served.launched_behind;
        }
        if (served.how == Served::How::replayed) {
            ++site.replayed;
            return;
        }
        ++(served.how == Served::How::recorded ? site.recorded : site.analysed);
        ++site.reasons[static_cast<std::size_t>(served.reason)];
        site.latest = served.number;
        site.latest_reason = served.reason;
    }

    /// As count(), for several operations at once, which were replayed and not held back.
    void count_replayed(SiteId id, std::uint32_t points, std::uint64_t operations = 1) {
        LaunchSiteReport& site = sites_[id];
        site.operations += operations;
        site.replayed += operations;
        site.tasks += operations * points;
    }

    /// The token of the site's latest operation that matched nothing, and the text of its latest
    /// mismatch.
    void note_token(SiteId id, const base::Hash128& token) { tokens_[id] = token; }
    void note_mismatch(SiteId id, const std::string& what) { mismatches_[id] = what; }
    [[nodiscard]] const base::Hash128& token(SiteId id) const { return tokens_[id]; }
    [[nodiscard]] const std::string& mismatch(SiteId id) const { return mismatches_[id]; }

    /// Begins to count anew. Sites keep their ids.
    void forget_counts();

    [[nodiscard]] std::size_t size() const { return sites_.size(); }
    [[nodiscard]] const LaunchSite& site(SiteId id) const { return sites_[id].site; }
    [[nodiscard]] std::uint64_t tasks(SiteId id) const { return sites_[id].tasks; }
    [[nodiscard]] LaunchSiteReport report(SiteId id) const;

  private:
    static constexpr SiteId none = std::numeric_limits<SiteId>::max();
    struct Recent {
        LaunchSite site;
        SiteId id = none;
    };
    static constexpr std::size_t recent_count = 1024;
    static std::size_t slot_of(const LaunchSite& site) {
        const auto name = reinterpret_cast<std::uintptr_t>(site.name);
        return ((name >> 1) ^ (site.line * std::uintptr_t{0x9e37})) % recent_count;
    }
    SiteId find_by_text(const LaunchSite& given);
    SiteId add(const LaunchSite& site);

    std::array<Recent, recent_count> recent_;
    std::unordered_map<std::string, SiteId>
        by_text_;  // equal sites may have names at several addresses
    std::vector<LaunchSiteReport> sites_;
    std::vector<std::uint64_t> held_sums_;
    std::vector<base::Hash128> tokens_;
    std::vector<std::string> mismatches_;
};

}  // namespace refrain::page
