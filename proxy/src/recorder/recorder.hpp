#pragma once

#include "base/hash.hpp"
#include "events/rank_recording.hpp"
#include "recorder/handles.hpp"
#include "recorder/per_thread.hpp"

#include <cstdint>
#include <deque>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace refrain::proxy {

/// A call as it comes: an Event whose values lie in somebody else's memory.
struct CallView {
    Function function = Function::by_name;
    std::uint32_t site = 0;
    std::uint32_t thread = 0;
    std::span<const std::int64_t> values;

    CallView(Function called, std::uint32_t from, std::uint32_t by,
             std::span<const std::int64_t> with)
        : function(called), site(from), thread(by), values(with) {}
    CallView(const Event& event)  // NOLINT: an event is a call
        : CallView(event.function, event.site, event.thread, event.values) {}

    [[nodiscard]] Event event() const {
        return {function, {values.begin(), values.end()}, site, thread};
    }
    [[nodiscard]] bool is(const Event& event) const {
        return function == event.function && values.size() == event.values.size() &&
               std::equal(values.begin(), values.end(), event.values.begin()) &&
               site == event.site && thread == event.thread;
    }
};

/// What was computed before a call.
struct Computed {
    double seconds = 0;              // processor time since the call before, or Recorder::no_work
    const Counts* counts = nullptr;  // likewise, if the source has counts
    TeamWork team;                   // what of it OpenMP threads did
    std::span<const Counts> team_counts = {};  // likewise, by thread, if the source counts each
};

/// Turns the calls of one process into a recording, as they happen. Knows no MPI: whoever does gives it
/// numbers.
///
/// A receive from any source is held back, with all that follows, until its match is known, since the
/// match belongs to its event.
///
/// Threads: one at a time. Where several call at once, `use` says whose call it is: each has a stream of its own.
class Recorder {
  public:
    /// What follows is done by this thread of the process; `event.thread` of its calls is the same.
    void use(std::uint32_t thread);
    [[nodiscard]] std::uint32_t thread() const { return streams_.thread(); }

    /// Appends a call. `call_seconds`: within it.
    void append(const CallView& call, const Computed& computed, double call_seconds) {
        Stream& own = streams_.own();
        if (wildcard_position_ == 0 && own.held.empty())
            append_known(own, call, computed, call_seconds);
        else
            hold(own, call, computed, call_seconds);
    }
    void append(const Event& event, double compute_seconds, double call_seconds,
                const Counts* counts = nullptr, const TeamWork& team = {}) {
        append(event, Computed{compute_seconds, counts, team}, call_seconds);
    }

    /// Calls were left out between the one before and this one: what was computed there is not known.
    static constexpr double no_work = -1;

    /// The call that was appended last, until the next one is.
    struct Latest {
        double* call_seconds = nullptr;  // to add what it took; null: there is none
        bool expects_long_work = true;   // after it: work did take long lately, or nobody knows
    };
    [[nodiscard]] Latest latest() {
        Stream& own = streams_.own();
        if (!own.held.empty()) [[unlikely]]
            return {&own.held.back().call_seconds, true};
        if (own.latest == Work::start) [[unlikely]]
            return {};
        return {&times_[own.latest].seconds, doubted_short_works_[own.latest] != 0};
    }

    /// Reads ahead what appending the call that came next the last time will touch: where the program computed for long, nothing of
    /// it is in the processor's cache any more. Changes nothing.
    void read_ahead() const {
        const Stream& own = streams_.own();
        if (own.latest == Work::start) [[unlikely]]
            return;
        const Next& guess = next_[own.latest];
        if (guess.symbol == Work::start) [[unlikely]]
            return;
        __builtin_prefetch(&events_[guess.symbol]);
        __builtin_prefetch(&times_[guess.symbol], 1);
        __builtin_prefetch(&work_[guess.work], 1);
        __builtin_prefetch(&next_[guess.symbol]);
        __builtin_prefetch(&doubted_short_works_[guess.symbol], 1);
    }

    /// The next event has a hole of two values, source and tag, at `position`. Returns its number.
    [[nodiscard]] std::uint64_t open_wildcard(std::size_t position);
    /// What it matched. A hole that was filled before stays as it is.
    void match_wildcard(std::uint64_t wildcard, std::int64_t source, std::int64_t tag);

    /// The slot of memory that a call uses, from `before` bytes before the address to `behind` bytes
    /// behind it.
    [[nodiscard]] std::int64_t slot(std::uintptr_t address, std::int64_t before,
                                    std::int64_t behind);

    /// Memory becomes part of a dynamic window.
    void attach(const Attached& memory) {
        if (known_attached_.insert(memory).second) attached_.push_back(memory);
    }

    [[nodiscard]] std::int64_t text(const std::string& text);
    /// The number of a place where calls are made.
    [[nodiscard]] std::uint32_t site(const std::string& site);
    void note(const std::string& note);

    /// All that is known by now; events held back are left out.
    [[nodiscard]] RankRecording recording() const;
    /// Forgets the events so far, which have been written; handles, slots, texts and sites keep their numbers.
    void begin_part();
    /// Memory in use, but for what is held back.
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::uint64_t event_count() const { return event_count_; }
    /// How many calls of all threads.
    [[nodiscard]] std::size_t held_back() const {
        std::size_t all = 0;
        for (const Stream& each : streams_) all += each.held.size();
        return all;
    }
    /// How many calls of a thread came before its next one.
    [[nodiscard]] std::uint64_t calls_of(std::uint32_t thread) const {
        return streams_[thread].calls + streams_[thread].held.size();
    }
    /// When this thread called, beside the calls of the first one.
    void set_life(const ThreadLife& life) { streams_.own().life = life; }
    [[nodiscard]] const ThreadLife& life() const { return streams_.own().life; }

    Requests requests;
    Slots slots;

    /// More than so many events are never held back: an unmatched receive is then recorded as such.
    static constexpr std::size_t held_max = 1 << 20;

  private:
    struct Held {
        Event event;
        double compute_seconds = 0;
        double call_seconds = 0;
        std::uint64_t wildcard = 0;  // 0: complete
        std::size_t position = 0;
        Counts counts{};
        bool has_counts = false;
        TeamWork team;
        TeamCounts team_counts{};
    };

    /// What one thread did.
    struct Stream {
        strings::RunGrammar grammar;
        std::uint32_t latest = Work::start;
        std::uint64_t calls = 0;  // in all parts
        std::vector<SlotExtent> extents;
        std::deque<Held> held;
        std::uint64_t first_held = 1;  // number of held.front()
        ThreadLife life;
    };

    void append_known(Stream& own, const CallView& call, const Computed& computed,
                      double call_seconds);
    /// An event, and the work between the latest one and it.
    struct Next {
        std::uint32_t symbol = Work::start;  // start: not known yet
        std::uint32_t work = 0;              // index in work_
    };
    [[nodiscard]] Next next_event(std::uint32_t latest, const CallView& call);
    // Kept out of the code that each call of a loop comes through.
    [[nodiscard, gnu::noinline]] Next unexpected_event(std::uint32_t latest, const CallView& call);
    [[gnu::noinline]] void hold(Stream& own, const CallView& call, const Computed& computed,
                                double call_seconds);
    void release_held(Stream& own);
    [[nodiscard]] std::uint32_t terminal(const CallView& call);

    PerThread<Stream> streams_;
    std::vector<Event> events_;
    std::vector<CallTime> times_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> terminals_;  // by hash of the event
    std::vector<Work> work_;
    /// By symbol: how many short works after it are needed until the next is expected to be short.
    std::vector<std::uint8_t> doubted_short_works_;
    std::unordered_map<std::uint64_t, std::uint32_t> work_of_;  // its index, by (before, after)
    std::vector<Next> next_;  // by symbol: what came after it the last time
    std::vector<Attached> attached_;
    std::set<Attached> known_attached_;
    std::vector<std::string> texts_, notes_, sites_;
    std::unordered_map<std::string, std::int64_t> text_numbers_;
    std::size_t value_bytes_ = 0;  // of the values of all events
    std::uint64_t next_wildcard_ = 0;
    std::size_t wildcard_position_ = 0;
    struct HeldPlace {
        std::uint32_t thread = 0;
        std::uint64_t number = 0;
    };
    std::unordered_map<std::uint64_t, HeldPlace> held_of_wildcard_;
    std::uint64_t event_count_ = 0;
};

}  // namespace refrain::proxy
