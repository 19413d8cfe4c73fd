#pragma once

#include "base/assertion.hpp"
#include "base/atomic.hpp"
#include "base/prefetch.hpp"
#include "graph/lane_plan.hpp"
#include "graph/node.hpp"
#include "graph/publishing_right.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace refrain::graph {

/// Launches in a row whose points have fixed places. Each worker has a *lane*, the same part of the
/// points of each launch, and runs it in launch order. So "done up to launch n", one counter per lane,
/// says everything that other lanes wait for, without counts per point.
///
///     three-point stencil of 8 points, two lanes
///     lane 0   points 0..3 of n     waits for  lane 1 done >= n - 1
///     lane 1   points 4..7 of n     waits for  lane 0 done >= n - 1
///
///   opened, publish, settle, unsettled   launching thread
///   run, has_pending, done(lane)      any thread
///
/// A launch in lanes waits for launches in lanes only: before the first one, everything else has
/// finished. It is settled when all lanes have run it: only then does its node say so.
///
/// I1  Who has a lane's right runs the lane: its worker, unless somebody idle has borrowed the right
///     (publishing_right.hpp). It takes the next launch in order, once that is published; points that
///     wait for other lanes only once those have done enough. So a point runs exactly once, after all
///     its predecessors.
/// I2  `done` grows after the points have run (release), and is read before others rely on that
///     (acquire). `seen` remembers what was read, and passes on with the right.
/// I3  Launch n uses entry n mod capacity. It is published when all lanes have done n - reach, where
///     reach is half of the capacity. Of the launches that n waits for (lane_plan.hpp), whoever runs n
///     finds the entries of those less than `reach` back: while n has not run, at most n + reach is
///     published, and the entry of n - reach + 1 is used again by n + reach + 1. The others, and those
///     before the lanes opened, had settled without failures when n was published; all lanes have done
///     them, or say a number that is as high.
/// I4  Failed points are noted for the entry, and counted in failures_, before `done` grows: who sees
///     `done` sees them. Once there are failures, nothing is settled before all lanes have run
///     everything that is published; so what failed is kept as long as somebody may need it.
/// Order:       a launch is published inside the launching thread's right to publish, and has_pending
///              is asked after a worker has announced that it sleeps and borrowed that right: by
///              publishing_right.hpp, I2, the launching thread wakes it or it sees the launch.
/// I5  A plan is written before the first launch that names it is published, and freed when no launch is
///     in lanes. So lanes read plans without synchronisation, and a core that has read one keeps it.
/// Hot path:    no locked operation. Lines that cross: half an entry and the record of each launch, a
///              counter per lane that another waits for, and data. Guarded by bench/peers.
class Lanes {
  public:
    static constexpr std::uint64_t capacity = 64;
    static constexpr std::uint64_t reach = capacity / 2;
    static constexpr std::uint64_t lag =
        8;  // a lane stays so far behind: beyond what cores prefetch
    static constexpr std::uint32_t lag_polls = 32;  // unless no later launch comes meanwhile
    static constexpr unsigned lanes_max = 64;
    static constexpr std::uint32_t points_max = 64;  // of a launch: entries have a bit per point

    /// `fetch`: called with points that have waited for other lanes and are about to run; null: not.
    explicit Lanes(unsigned count, FetchPoints fetch = nullptr)
        : lanes_(std::make_unique<Lane[]>(count)),
          entries_(std::make_unique<Entry[]>(capacity)),
          failed_(std::make_unique<Failed[]>(capacity)),
          count_(count),
          fetch_(fetch) {
        for (unsigned i = 0; i < count; ++i)
            lanes_[i].seen.resize((count + Numbers::count - 1) / Numbers::count);
    }

    [[nodiscard]] unsigned count() const { return count_; }

    /// Launches published so far.
    [[nodiscard]] std::uint64_t published() const { return published_; }
    /// Those of them that have not settled.
    [[nodiscard]] std::uint64_t unsettled() const { return published_ - settled_; }
    /// All launches that all lanes have done.
    [[nodiscard]] std::uint64_t done() const;
    [[nodiscard]] std::uint64_t done(unsigned lane) const {
        return lanes_[lane].done.load(std::memory_order_acquire);
    }
    [[nodiscard]] bool has_failures() const {
        return failures_.load(std::memory_order_relaxed) != 0;
    }

    /// What was launched until now has finished: later launches that wait for it need not.
    void opened() { opened_ = published_; }
    /// The launches that the plan waits for are in lanes, or had finished before these opened.
    /// Precondition: unsettled() < reach, and no failures.
    /// Tasks read the first `record_bytes` from the node on.
    void publish(Node& node, const LanePlan& plan, std::size_t record_bytes);
    /// Marks launches that all lanes have run as finished.
    void settle();
    /// The same, but launches from number `first` on are not marked: they settle for this object only. None
    /// settles once there are failures.
    void settle_unmarked_from(std::uint64_t first);
    /// All launches have settled, and nothing of them is in use any more.
    void forget_failures() { failures_.store(0, std::memory_order_relaxed); }

    /// Runs launches of a lane up to number `last`, as far as they are ready, unless somebody else
    /// does; looks `polls` times for another, in lane 0 only for one that is published: who runs it
    /// publishes. run_points(node, points, poisoned) returns the points that failed, poisoned ones
    /// included; bit i stands for point i of the node. Returns whether it has run any.
    template <class RunPoints>
    bool run(unsigned lane, std::uint64_t last, std::uint32_t polls, RunPoints&& run_points) {
        const PublishingRight::Scope right(lanes_[lane].right);
        return run_with_right(lane, last, polls, run_points);
    }
    /// What came of an attempt to run a launch of another's lane.
    enum class Attempt : std::uint8_t {
        none,     // there is nothing to run, or its worker is there
        in_vain,  // the lane's next launch waits for other lanes
        ran,
    };
    /// For other workers: the next launch of the lane. Each attempt is a barrier on all cores
    /// (publishing_right.hpp), so after one in vain there is none until some lane has done a launch.
    template <class RunPoints>
    Attempt run_for_other(unsigned lane, RunPoints&& run_points) {
        if (!has_pending(lane)) return Attempt::none;
        Lane& other = lanes_[lane];
        const std::uint64_t done = done_together();  // before the attempt, which may see more
        if (other.waited_at.load(std::memory_order_relaxed) == done) return Attempt::none;
        bool ran = false;
        const bool borrowed = other.right.borrow([&] {
            ran = run_with_right(lane, other.next, 0, run_points);
            if (!ran) other.waited_at.store(done, std::memory_order_relaxed);  // a number, no data
        });
        if (!borrowed) return Attempt::none;
        return ran ? Attempt::ran : Attempt::in_vain;
    }
    /// Whether some lane has not run a launch that is published.
    [[nodiscard]] bool has_pending() const;
    [[nodiscard]] bool has_pending(unsigned lane) const {
        const std::uint64_t next = done(lane) + 1;
        return entry(next).sequence.load(std::memory_order_seq_cst) == next;
    }

  private:
    /// Two in a line.
    struct alignas(base::line_bytes / 2) Entry {
        base::Atomic<std::uint64_t> sequence{0};  // written last
        Node* node = nullptr;
        const LanePlan* plan = nullptr;
        std::uint32_t record_lines = 0;
    };
    static_assert(sizeof(Entry) == base::line_bytes / 2);
    /// Of an entry: what has failed.
    struct Failed {
        base::Atomic<std::uint64_t> points{0};
        base::Atomic<const void*> cause{nullptr};
    };
    /// Numbers that one thread writes while it polls: in lines of their own.
    struct alignas(64) Numbers {
        static constexpr unsigned count = 8;
        std::array<std::uint64_t, count> values{};
    };
    struct alignas(64) Lane {
        base::Atomic<std::uint64_t> done{0};
        PublishingRight right;  // to run the lane: its worker's, unless somebody borrows it
        // Who has the right:
        std::uint64_t next = 1;
        std::uint64_t known = 0;    // the newest launch that was seen
        std::uint64_t due = 0;      // up to this one they run without a look: published
        bool is_eager = false;      // it does not stay behind
        std::uint64_t begun = 0;    // the launch of which those points have run that need not wait
        std::vector<Numbers> seen;  // `done` of others
        // Who has borrowed the right: done_together() when the next launch waited for other lanes.
        alignas(64) base::Atomic<std::uint64_t> waited_at{~std::uint64_t{0}};

        [[nodiscard]] std::uint64_t& seen_of(unsigned other) {
            return seen[other / Numbers::count].values[other % Numbers::count];
        }
    };
    /// The launches that lanes have done, all added up. It grows with each, so as long as it is the same no
    /// launch that waits becomes ready.
    [[nodiscard]] std::uint64_t done_together() const;
    [[nodiscard]] Entry& entry(std::uint64_t number) const { return entries_[number % capacity]; }
    [[nodiscard]] Failed& failed(std::uint64_t number) const { return failed_[number % capacity]; }
    template <class RunPoints>
    bool run_with_right(unsigned lane, std::uint64_t last, std::uint32_t polls,
                        RunPoints& run_points);
    /// The lines of later launches are on their way meanwhile. Of those that are not published it
    /// touches the next only: the launching thread is about to write there.
    void prefetch_after(Lane& lane) const {
        lane.known = std::max(lane.known, lane.next);
        while (lane.known < lane.next + 4 && is_published(lane.known + 1)) {
            const Entry& later = entry(++lane.known);
            const auto* record = reinterpret_cast<const char*>(later.node);
            for (std::size_t line = 0; line < later.record_lines; ++line)
                base::prefetch_for_read(record + line * base::line_bytes);
        }
    }
    [[nodiscard]] bool is_published(std::uint64_t number) const {
        return entry(number).sequence.load(std::memory_order_acquire) == number;
    }
    static void pause() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    [[nodiscard]] bool follows(Lane& lane, std::uint32_t futile) const;
    template <class RunPoints>
    [[nodiscard]] bool run_next(unsigned lane, RunPoints& run_points);
    template <class RunPoints>
    [[nodiscard]] bool begin_next(Lane& self, Entry& next, const LanePlan::Part& part,
                                  RunPoints& run_points);
    template <class RunPoints>
    void run_some(Entry& entry, std::uint64_t points, RunPoints& run_points);
    [[nodiscard]] bool is_ready(Lane& self, const LanePlan::Part& part) const;
    /// The same, and the lines of the points that waited are on their way.
    [[nodiscard]] bool becomes_ready(Lane& self, const Entry& next,
                                     const LanePlan::Part& part) const {
        if (!is_ready(self, part)) return false;
        if (fetch_ != nullptr) fetch_(*next.node, 0, part.waiting);
        return true;
    }
    /// The counters that were too low when the lane saw them last are on their way.
    void prefetch_counters(Lane& self, const LanePlan::Part& part) const {
        part.for_each_lacking(
            self.next, [&](unsigned lane) { return self.seen_of(lane); },
            [&](unsigned lane) { base::prefetch_for_read(&lanes_[lane].done); });
    }
    [[nodiscard]] std::uint64_t poisoned(const Entry& entry) const;
    void note_failed(Entry& entry, std::uint64_t failed);
    void settle_up_to(std::uint64_t end);

    std::unique_ptr<Lane[]> lanes_;
    std::unique_ptr<Entry[]> entries_;
    std::unique_ptr<Failed[]> failed_;
    unsigned count_;
    const FetchPoints fetch_;
    // Launching thread:
    alignas(64) std::uint64_t published_ = 0;
    std::uint64_t settled_ = 0;
    std::uint64_t opened_ =
        0;  // launches in lanes before these opened; lanes read it after a launch
    alignas(64) base::Atomic<std::uint32_t> failures_{0};
};

inline std::uint64_t Lanes::done() const {
    std::uint64_t least = published_;
    for (unsigned lane = 0; lane < count_; ++lane) least = std::min(least, done(lane));
    return least;
}

inline std::uint64_t Lanes::done_together() const {
    std::uint64_t sum = 0;
    for (unsigned lane = 0; lane < count_; ++lane) sum += done(lane);
    return sum;
}

inline void Lanes::publish(Node& node, const LanePlan& plan, std::size_t record_bytes) {
    REFRAIN_ASSERT(published_ - settled_ < reach, "a launch in lanes is too far ahead");
    Entry& next = entry(++published_);
    next.node = &node;
    next.plan = &plan;
    next.record_lines = static_cast<std::uint32_t>(record_bytes / base::line_bytes);
    next.sequence.store(published_, std::memory_order_release);
    base::prefetch_for_write(&entry(published_ + 4));
}

inline bool Lanes::is_ready(Lane& self, const LanePlan::Part& part) const {
    for (const LanePlan::Wait& wait : part.waits) {
        std::uint64_t& seen = self.seen_of(wait.lane);
        if (wait.is_met(seen, self.next)) continue;
        seen = lanes_[wait.lane].done.load(std::memory_order_acquire);  // I2
        if (!wait.is_met(seen, self.next)) return false;
    }
    return true;
}

template <class RunPoints>
inline void Lanes::run_some(Entry& entry, std::uint64_t points, RunPoints& run_points) {
    if (points == 0) return;
    const std::uint64_t skipped = has_failures() ? poisoned(entry) & points : 0;  // I4
    const std::uint64_t failed = run_points(*entry.node, points, skipped);
    if (failed != 0) [[unlikely]]
        note_failed(entry, failed);
}

/// The first look at a launch: runs the points that wait for no other lane. Meanwhile come the lines that
/// the others need, first the counters of other lanes, then data: one line after the other would take as
/// long as several short tasks. Returns whether the others may run.
template <class RunPoints>
inline bool Lanes::begin_next(Lane& self, Entry& next, const LanePlan::Part& part,
                              RunPoints& run_points) {
    self.begun = self.next;
    if (&self != &lanes_[0]) prefetch_after(self);
    if (part.waiting == 0) {
        run_some(next, part.points, run_points);
        return true;
    }
    prefetch_counters(self, part);
    run_some(next, part.early, run_points);
    const bool ready = becomes_ready(self, next, part);
    run_some(next, part.points & ~(part.early | part.waiting), run_points);
    return ready;
}

/// Runs the next launch: at first the points that need not wait, the others as soon as they may. Returns
/// whether all have run.
template <class RunPoints>
inline bool Lanes::run_next(unsigned lane, RunPoints& run_points) {
    Lane& self = lanes_[lane];
    Entry& next = entry(self.next);
    const LanePlan::Part& part = next.plan->part(lane);
    const bool ready = self.begun != self.next && begin_next(self, next, part, run_points);
    if (!ready && !becomes_ready(self, next, part)) return false;
    run_some(next, part.waiting, run_points);
    self.done.store(self.next++, std::memory_order_release);  // I2
    return true;
}

/// Whether the next launch runs now: if `lag` later ones are published, or if it has been looked for in
/// vain for some time. A worker right behind the launching thread would read, or its core would prefetch,
/// lines that are about to be written. For the same reason a worker that has seen `lag` launches runs half
/// of them before it looks again. They are published, so no launch waits longer than without that.
inline bool Lanes::follows(Lane& lane, std::uint32_t futile) const {
    if (lane.next <= lane.due) return true;
    if (is_published(lane.next + lag)) {
        lane.is_eager = false;
        lane.due = lane.next + lag / 2;
        return true;
    }
    lane.is_eager = lane.is_eager || futile >= lag_polls;
    return lane.is_eager && is_published(lane.next);
}

template <class RunPoints>
bool Lanes::run_with_right(unsigned lane, std::uint64_t last, std::uint32_t polls,
                           RunPoints& run_points) {
    Lane& self = lanes_[lane];
    const std::uint64_t begin = self.next;
    for (std::uint32_t futile = 0; self.next <= last;) {
        const bool is_due =
            lane == 0 || polls == 0 ? is_published(self.next) : follows(self, futile);
        if (is_due && run_next(lane, run_points)) {
            futile = 0;
        } else if (futile++ == polls || (lane == 0 && !is_due)) {
            break;  // only the launching thread publishes, and lane 0 is its own
        } else if (!is_due) {
            pause();
        }
    }
    return self.next != begin;
}

}  // namespace refrain::graph
