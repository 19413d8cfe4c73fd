#pragma once

#include "page/site_table.hpp"
#include "refrain/inline_recogniser.hpp"
#include "refrain/options.hpp"
#include "refrain/why_not_traced.hpp"
#include "trace/memo_ring.hpp"
#include "trace/stream_position.hpp"

#include <cstdint>
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

    /// Who remembers how operations were described; nothing that was noted before is.
    void follow(const autotrace::InlineRecogniser& recogniser);
    /// The newest operation was launched there, and is described at that position.
    void launched_at(page::SiteId id, trace::Position position) {
        Site& at = site(id);
        at.before = at.latest;
        at.latest = position;
    }
    /// It was issued and not served from a precedent: why. `where`: null if nobody looked at it.
    NotReplayed reason(page::SiteId site, const trace::StreamPosition* where,
                       const trace::MemoRing& memos);
    /// How many operations ago the precedent was launched. In a folded loop both have the same
    /// position.
    std::uint64_t distance(const trace::StreamPosition& where) {
        const std::uint64_t distance = where.position - *where.precedent;
        if (distance != 0) distance_ = distance;
        return distance_;
    }
    /// What more is known of the latest such operation of a site.
    [[nodiscard]] std::string detail(page::SiteId site, NotReplayed reason) const;

  private:
    using Words = std::vector<std::uint64_t>;
    static constexpr trace::Position nowhere = ~trace::Position{0};
    struct Site {
        trace::Position latest = nowhere;  // launch
        trace::Position before = nowhere;  // the launch before that
        // Of the latest operation that was not served:
        Words without_precedent, before_that;  // empty if they are not remembered
        bool was_first = false;
        std::uint64_t distance = 0;  // from its precedent
        std::uint32_t agreed = 0;    // operations, itself included, that were known to repeat
        std::uint32_t needed = 0;    // that had to
    };
    Site& site(page::SiteId id) {
        if (id >= sites_.size()) [[unlikely]]
            sites_.resize(id + std::size_t{1});
        return sites_[id];
    }
    void copy_words(trace::Position position, Words& words) const;
    [[nodiscard]] std::string detail_without_precedent(const Site& site) const;
    [[nodiscard]] static std::string where_it_repeats(const Site& site);

    const Options& options_;
    const autotrace::InlineRecogniser* recogniser_ = nullptr;
    std::uint64_t distance_ = 0;  // of the latest precedent
    std::vector<Site> sites_;
};

}  // namespace refrain::runtime
