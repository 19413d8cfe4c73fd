#include "observe/precedent_notes.hpp"

#include "observe/wording.hpp"
#include "trace/description_difference.hpp"

#include <algorithm>

namespace refrain::observe {
namespace {

/// Returns how many of the newest operations repeat; fewer than `below` do.
std::uint32_t agreed(trace::Context& context, std::uint32_t below) {
    std::uint32_t count = 1;
    while (count + 1 < below && context.agrees(count + 1)) ++count;
    return count;
}

}  // namespace

void PrecedentNotes::follow(const autotrace::InlineRecogniser& recogniser) {
    recogniser_ = &recogniser;
    sites_at_.assign(recogniser.capacity(), no_site);
    for (Site& site : sites_) site.latest = site.before = nowhere;
}

void PrecedentNotes::copy_words(trace::Position position, Words& words) const {
    words.clear();
    if (position == nowhere) return;
    if (const auto known = recogniser_->description(position.value()))
        words.assign(known->begin(), known->end());
}

void PrecedentNotes::repeat(const trace::Turn& turn) {
    if (sites_at_.empty()) return;
    for (std::uint64_t i = 0; i < turn.count; ++i) {
        const trace::Position position = turn.first + i;
        sites_at_[slot_of(position)] = sites_at_[slot_of(position - turn.distance)];
    }
}

/// The operation `back` positions before `end`, if it is remembered.
void PrecedentNotes::note_place(trace::Position end, std::uint32_t back, Place& place) const {
    place.site = no_site;
    place.words.clear();
    if (end.value() < back) return;  // the stream began later
    const trace::Position position = end - back;
    copy_words(position, place.words);
    if (!place.words.empty()) place.site = sites_at_[slot_of(position)];
}

NotReplayed PrecedentNotes::reason(page::SiteId id, const trace::StreamPosition* where,
                                   const trace::MemoRing& memos) {
    Site& at = site(id);  // detail() looks at it, whatever the reason
    if (where == nullptr) return NotReplayed::resting;
    const bool is_known = where->precedent && memos.at(*where->precedent).memo != nullptr;
    if (!where->precedent || (!where->is_equal && !is_known)) {
        copy_words(at.latest, at.without_precedent);
        copy_words(at.before, at.before_that);
        at.was_first = at.before == nowhere;
        return NotReplayed::no_precedent;
    }
    at.distance = distance(*where);
    at.needed = static_cast<std::uint32_t>(std::min(limits_.trace_min_length, limits_.window));
    const trace::OperationMemo* known = memos.at(*where->precedent).memo;
    const bool is_long = where->context.agrees(at.needed);
    if (is_long && known != nullptr) at.needed = known->own_lookback + 1;
    at.agreed = agreed(where->context, at.needed);
    at.differs_now.site = no_site;
    if ((!is_long || known != nullptr) && where->position != *where->precedent) {
        note_place(where->position, at.agreed, at.differs_now);
        note_place(*where->precedent, at.agreed, at.differed_then);
    }
    if (!is_long) return NotReplayed::short_context;
    if (known != nullptr) return NotReplayed::looks_further;
    const bool is_kept = memos.at(where->position).memo != nullptr;
    return is_kept && !memos.has_dropped(*where->precedent) ? NotReplayed::first_repetition
                                                            : NotReplayed::not_kept;
}

std::string PrecedentNotes::detail(page::SiteId id, NotReplayed reason,
                                   const std::function<std::string(page::SiteId)>& describe) const {
    const Site& at = sites_[id];
    const std::string agreed = operations(at.agreed) + (at.agreed == 1 ? " repeats" : " repeat");
    switch (reason) {
        case NotReplayed::no_precedent:
            return detail_without_precedent(at);
        case NotReplayed::short_context:
            return "Counted back from it, " + agreed + " " + where_it_repeats(at) + "; it takes " +
                   std::to_string(at.needed) + " (trace-min-length)." +
                   what_came_before(at, describe);
        case NotReplayed::first_repetition:
            return "The first time was " + operations(at.distance) +
                   " before; from the third time on it is served.";
        case NotReplayed::looks_further:
            return "Counted back from it, " + agreed + " " + where_it_repeats(at) +
                   "; what was found then takes " + std::to_string(at.needed) + "." +
                   what_came_before(at, describe);
        case NotReplayed::not_kept:
            return "What was found may take " + std::to_string(limits_.trace_bytes >> 10) +
                   " KiB (trace-bytes).";
        case NotReplayed::resting:
            return "Rounds are looked at now and then, until more repeats; if nothing ever does, "
                   "--refrain:auto-trace=off spares that too.";
        default:
            return {};
    }
}

std::string PrecedentNotes::where_it_repeats(const Site& at) {
    return "what was launched " + operations(at.distance) + " before";
}

/// An example of what differs: the launch in front of those that repeat.
std::string PrecedentNotes::what_came_before(
    const Site& at, const std::function<std::string(page::SiteId)>& describe) {
    const Place& now = at.differs_now;
    const Place& then = at.differed_then;
    if (now.site == no_site) return {};
    const std::string text = " In front of " + std::string(at.agreed == 1 ? "it" : "these") +
                             " came " + describe(now.site);
    if (then.site == no_site) return text + "; what came the time before is not remembered.";
    if (then.site != now.site) return text + "; the time before, " + describe(then.site) + ".";
    const std::string difference = trace::difference(then.words, now.words);
    if (difference.empty()) return text + " both times, on regions that had been used otherwise.";
    return text + " both times, but now " + difference + ".";
}

std::string PrecedentNotes::detail_without_precedent(const Site& at) const {
    const std::string memory =
        "The newest " + operations(limits_.history) + " are remembered (history).";
    if (at.was_first) return memory + " It was the first one launched there.";
    if (at.before_that.empty() || at.without_precedent.empty())
        return memory + " The one launched there before it is not.";
    const std::string difference = trace::difference(at.before_that, at.without_precedent);
    if (difference.empty())
        return memory +
               " The one launched there before it was like it: where hardly anything repeats, not "
               "each operation is looked for.";
    return memory + " What differs from the one launched there before it: " + difference + ".";
}

}  // namespace refrain::observe
