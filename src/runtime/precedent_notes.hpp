#pragma once

#include "refrain/options.hpp"
#include "refrain/why_not_traced.hpp"
#include "report/site_table.hpp"
#include "trace/memo_ring.hpp"
#include "trace/standing.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace refrain::runtime {

/// Why operations that a recogniser looks at when they are launched are not served from precedents,
/// and what the program could do about it.
///
/// Threads:  the launching thread only.
class PrecedentNotes {
  public:
    explicit PrecedentNotes(const Options& options) : options_(options) {}

    /// The newest operation is put into these words.
    void described(std::span<const std::uint64_t> words) {
        newest_.assign(words.begin(), words.end());
    }
    /// It was launched there.
    void launched_at(report::SiteId site);
    /// It was issued and not served from a precedent: why. `standing`: null if nobody looked at it.
    NotReplayed reason(report::SiteId site, const trace::Standing* standing,
                       const trace::MemoRing& memos);
    /// How many operations ago the precedent was launched.
    std::uint64_t distance(const trace::Standing& standing);
    /// What more is known of the latest such operation of a site.
    [[nodiscard]] std::string detail(report::SiteId site, NotReplayed reason) const;

  private:
    using Words = std::vector<std::uint64_t>;
    struct Site {
        Words latest;  // launch
        Words before;  // the launch before that
        // Of the latest operation that was not served:
        Words without_precedent, before_that;
        std::uint64_t distance = 0;  // from its precedent
        std::uint32_t agreed = 0;    // operations, itself included, that were known to repeat
        std::uint32_t needed = 0;    // that had to
    };
    Site& site(report::SiteId id);
    [[nodiscard]] std::string detail_without_precedent(const Site& site) const;

    const Options& options_;
    std::uint64_t distance_ = 0;  // of the latest precedent
    Words newest_;
    std::vector<Site> sites_;
};

}  // namespace refrain::runtime
