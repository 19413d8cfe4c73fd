#include "recorder/recorder.hpp"

#include "recorder/work_clock.hpp"

#include <algorithm>
#include <utility>

namespace refrain::proxy {
namespace {

// After long work, so many short ones in a row are needed until the next is expected to be short.
constexpr std::uint8_t short_works_doubted = 64;

}  // namespace

void Recorder::use(std::uint32_t thread) {
    streams_.use(thread, [](std::uint32_t) { return Stream(); });
    requests.use(thread);
    slots.use(thread);
}

void Recorder::hold(Stream& own, const CallView& call, const Computed& computed,
                    double call_seconds) {
    const std::size_t position = std::exchange(wildcard_position_, 0);
    Held held{call.event(),
              computed.seconds,
              call_seconds,
              0,
              position,
              {},
              computed.counts != nullptr,
              computed.team,
              TeamCounts(computed.team_counts)};
    if (computed.counts != nullptr) held.counts = *computed.counts;
    if (position != 0) {
        held.wildcard = next_wildcard_;
        held_of_wildcard_[held.wildcard] = {thread(), own.first_held + own.held.size()};
    }
    own.held.push_back(std::move(held));
    if (own.held.size() > held_max) {
        note("a receive from any source was not matched within " + std::to_string(held_max) +
             " calls");
        match_wildcard(own.held.front().wildcard, rank_none, 0);
    }
}

std::uint64_t Recorder::open_wildcard(std::size_t position) {
    wildcard_position_ = position;
    return ++next_wildcard_;
}

void Recorder::match_wildcard(std::uint64_t wildcard, std::int64_t source, std::int64_t tag) {
    const auto found = held_of_wildcard_.find(wildcard);
    if (found == held_of_wildcard_.end()) return;
    Stream& own = streams_[found->second.thread];
    Held& held = own.held[static_cast<std::size_t>(found->second.number - own.first_held)];
    held.event.values[held.position] = source;
    held.event.values[held.position + 1] = tag;
    held.wildcard = 0;
    held_of_wildcard_.erase(found);
    release_held(own);
}

void Recorder::release_held(Stream& own) {
    while (!own.held.empty() && own.held.front().wildcard == 0) {
        const Held& held = own.held.front();
        append_known(own, held.event,
                     {held.compute_seconds, held.has_counts ? &held.counts : nullptr, held.team,
                      held.team_counts},
                     held.call_seconds);
        own.held.pop_front();
        ++own.first_held;
    }
}

void Recorder::append_known(Stream& own, const CallView& call, const Computed& computed,
                            double call_seconds) {
    const Next next = next_event(own.latest, call);
    own.grammar.append(next.symbol);
    ++own.calls;
    ++event_count_;
    CallTime& time = times_[next.symbol];
    time.count += 1;
    time.seconds += std::max(call_seconds, 0.0);  // the clock may jump
    if (computed.seconds >= 0) {
        Work& work = work_[next.work];
        work.count += 1;
        work.seconds += computed.seconds;
        if (computed.team.threads > 1)
            work.team.add(
                {std::clamp(computed.team.seconds, 0.0, computed.seconds), computed.team.threads});
        if (computed.counts != nullptr) add(work.counts, *computed.counts);
        if (!computed.team_counts.empty()) [[unlikely]]
            add(work.team_counts, computed.team_counts);
        if (own.latest != Work::start) {
            std::uint8_t& doubted = doubted_short_works_[own.latest];
            if (computed.seconds >= short_work_seconds)
                doubted = short_works_doubted;
            else if (doubted != 0)
                --doubted;
        }
    }
    own.latest = next.symbol;
}

/// Programs repeat: the event that came after this one the last time is compared first.
Recorder::Next Recorder::next_event(std::uint32_t latest, const CallView& call) {
    if (latest != Work::start) {
        const Next& guess = next_[latest];
        if (guess.symbol != Work::start && call.is(events_[guess.symbol])) return guess;
    }
    return unexpected_event(latest, call);
}

Recorder::Next Recorder::unexpected_event(std::uint32_t latest, const CallView& call) {
    Next next;
    next.symbol = terminal(call);
    const auto [found, is_new] = work_of_.try_emplace(std::uint64_t{latest} << 32 | next.symbol,
                                                      static_cast<std::uint32_t>(work_.size()));
    next.work = found->second;
    if (is_new) {
        Work& work = work_.emplace_back();
        work.before = latest;
        work.after = next.symbol;
    }
    if (latest != Work::start) next_[latest] = next;
    return next;
}

std::uint32_t Recorder::terminal(const CallView& call) {
    base::Hasher hasher(static_cast<std::uint64_t>(call.function) << 32 | call.site);
    hasher.add(call.thread);
    for (const std::int64_t value : call.values) hasher.add(static_cast<std::uint64_t>(value));
    const std::uint64_t hash = hasher.finish().low;
    const auto [begin, end] = terminals_.equal_range(hash);
    for (auto each = begin; each != end; ++each)
        if (call.is(events_[each->second])) return each->second;
    const auto symbol = static_cast<std::uint32_t>(events_.size());
    events_.push_back(call.event());
    value_bytes_ += call.values.size_bytes();
    doubted_short_works_.push_back(1);
    times_.emplace_back();
    next_.emplace_back();
    terminals_.emplace(hash, symbol);
    return symbol;
}

std::int64_t Recorder::slot(std::uintptr_t address, std::int64_t before, std::int64_t behind) {
    const std::int64_t slot = slots.acquire(address);
    std::vector<SlotExtent>& extents = streams_.own().extents;
    const auto index = static_cast<std::size_t>(slot - first_number_of(thread()));
    if (index >= extents.size()) extents.resize(index + 1);
    SlotExtent& extent = extents[index];
    extent.before = std::max(extent.before, before);
    extent.behind = std::max(extent.behind, behind);
    extent.low_bits |= static_cast<std::int64_t>(address % SlotExtent::lines);
    return slot;
}

std::int64_t Recorder::text(const std::string& text) {
    const auto [place, is_new] =
        text_numbers_.try_emplace(text, static_cast<std::int64_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return place->second;
}

std::uint32_t Recorder::site(const std::string& site) {
    const auto number =
        static_cast<std::uint32_t>(std::find(sites_.begin(), sites_.end(), site) - sites_.begin());
    if (number == sites_.size()) sites_.push_back(site);
    return number + 1;
}

void Recorder::begin_part() {
    for (Stream& each : streams_) {
        each.grammar = {};
        each.latest = Work::start;
    }
    events_ = {};
    times_ = {};
    terminals_ = {};
    work_ = {};
    doubted_short_works_ = {};
    work_of_ = {};
    next_ = {};
    attached_ = {};
    known_attached_ = {};
    value_bytes_ = 0;
}

std::size_t Recorder::bytes() const {
    constexpr std::size_t map_entry = 5 * sizeof(void*);
    constexpr std::size_t event =
        sizeof(Event) + sizeof(CallTime) + sizeof(Next) + sizeof(std::uint8_t) + map_entry;
    constexpr std::size_t attached = 2 * sizeof(Attached) + map_entry;
    std::size_t grammars = 0;
    for (const Stream& each : streams_) grammars += each.grammar.bytes();
    return grammars + events_.size() * event + value_bytes_ +
           work_.size() * (sizeof(Work) + map_entry) + attached_.size() * attached;
}

void Recorder::note(const std::string& note) {
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
}

RankRecording Recorder::recording() const {
    RankRecording result;
    result.notes = notes_;
    result.texts = texts_;
    result.sites = sites_;
    result.events = events_;
    result.times = times_;
    result.grammar = streams_[0].grammar.grammar();
    for (std::size_t thread = 1; thread < streams_.size(); ++thread) {
        const Stream& each = streams_[thread];
        result.threads.push_back({each.grammar.grammar(), each.extents, each.life});
    }
    result.work = work_;
    std::sort(result.work.begin(), result.work.end(), [](const Work& a, const Work& b) {
        return std::pair(a.before, a.after) < std::pair(b.before, b.after);
    });
    result.slots = streams_[0].extents;
    result.attached = attached_;
    return result;
}

}  // namespace refrain::proxy
