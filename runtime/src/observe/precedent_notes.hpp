#pragma once

#include "observe/limits.hpp"
#include "page/site_table.hpp"
#include "refrain/inline_recogniser.hpp"
#include "refrain/why_not_traced.hpp"
#include "trace/memo_ring.hpp"
#include "trace/stream_position.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace refrain::observe {

/// Explains why operations that the inline recogniser looked at were not served from precedents, and
/// what the program could change.
///
/// Threads:  the launching thread only.
class PrecedentNotes {
  public:
    explicit PrecedentNotes(const Limits& limits) : limits_(limits) {}

    /// Sets the recogniser that remembers the descriptions of operations. Positions noted before are
    /// forgotten.
    void follow(const autotrace::InlineRecogniser& recogniser);
    /// Notes that the newest operation was launched at this site; its description is at `position`.
    void launched_at(page::SiteId id, trace::Position position) {
        Site& at = site(id);
        at.before = at.latest;
        at.latest = position;
        if (!sites_at_.empty()) sites_at_[slot_of(position)] = id;
    }
    /// Positions that the recogniser assigned late.
    void repeat(const trace::Turn& turn);
    /// Returns why the newest operation was not served from a precedent. `where`: null if the
    /// recogniser skipped it.
    NotReplayed reason(page::SiteId site, const trace::StreamPosition* where,
                       const trace::MemoRing& memos);
    /// Returns how many operations ago the precedent was launched. In a folded loop, where an
    /// operation has the position of its precedent, that is an iteration.
    [[nodiscard]] static std::uint64_t distance(const trace::StreamPosition& where) {
        return where.loop != 0 ? where.loop : where.position - *where.precedent;
    }
    /// Returns sentences about the latest operation of a site that was not served. `describe` says
    /// where a site is.
    [[nodiscard]] std::string detail(
        page::SiteId site, NotReplayed reason,
        const std::function<std::string(page::SiteId)>& describe) const;

  private:
    using Words = std::vector<std::uint64_t>;
    static constexpr trace::Position nowhere = trace::Position::at(~std::uint64_t{0});
    static constexpr page::SiteId no_site = ~page::SiteId{0};
    /// An operation in the stream: where it was launched, and what it was.
    struct Place {
        page::SiteId site = no_site;
        Words words;
    };
    struct Site {
        trace::Position latest = nowhere;  // launch
        trace::Position before = nowhere;  // the launch before that
        // Of the latest operation that was not served:
        Words without_precedent,
            before_that;  // its description and the one before; empty: forgotten
        bool was_first = false;
        std::uint64_t distance = 0;        // to its precedent, in operations
        std::uint32_t agreed = 0;          // length of the context that repeats, itself included
        std::uint32_t needed = 0;          // length that would have sufficed
        Place differs_now, differed_then;  // what came before that context, both times
    };
    Site& site(page::SiteId id) {
        if (id >= sites_.size()) [[unlikely]]
            sites_.resize(id + std::size_t{1});
        return sites_[id];
    }
    void copy_words(trace::Position position, Words& words) const;
    [[nodiscard]] std::size_t slot_of(trace::Position position) const {
        return position.value() & (sites_at_.size() - 1);  // a power of two
    }
    void note_place(trace::Position end, std::uint32_t back, Place& place) const;
    [[nodiscard]] static std::string what_came_before(
        const Site& site, const std::function<std::string(page::SiteId)>& describe);
    [[nodiscard]] std::string detail_without_precedent(const Site& site) const;
    [[nodiscard]] static std::string where_it_repeats(const Site& site);

    const Limits& limits_;
    const autotrace::InlineRecogniser* recogniser_ = nullptr;
    std::vector<page::SiteId> sites_at_;  // ring, by position
    std::vector<Site> sites_;
};

}  // namespace refrain::observe
