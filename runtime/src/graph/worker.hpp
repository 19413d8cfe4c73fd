#pragma once

#include "base/atomic.hpp"
#include "graph/steal_cost.hpp"
#include "graph/throttle.hpp"
#include "graph/work_queue.hpp"

#include <cstdint>

namespace refrain::graph {

struct WorkerCounters {
    std::uint64_t points = 0;   // run, or skipped
    std::uint64_t skipped = 0;  // not run: their input was not produced
    std::uint64_t groups = 0;   // items run: one locked operation serves points / groups points
    std::uint64_t steals = 0;
    std::uint64_t sleeps = 0;
    std::uint64_t background_jobs = 0;
    std::uint64_t waits = 0;  // while backing off (throttle.hpp)
};

/// A counter that one thread writes and any may read, without locked operations.
class OwnedCounter {
  public:
    void add(std::uint64_t n) {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

  private:
    base::Atomic<std::uint64_t> value_{0};
};

/// How long an idle worker pauses before it looks for work again, and how long a thief of tiny work
/// pauses before it steals again: contention with the victim costs more than tiny work gains.
class Backoff {
  public:
    static constexpr std::uint32_t pauses_max = 16;

    void reset_idle() { pauses_ = 1; }
    [[nodiscard]] std::uint32_t next_pauses() {
        const std::uint32_t pauses = pauses_;
        if (pauses_ < pauses_max) pauses_ *= 2;
        return pauses;
    }
    void stole_tiny() {
        steal_pauses_ =
            steal_pauses_ == 0 ? 16 : (steal_pauses_ < 1024 ? 2 * steal_pauses_ : steal_pauses_);
    }
    void stole_coarse() { steal_pauses_ = 0; }
    /// Before a steal from a worker that is running.
    [[nodiscard]] std::uint32_t steal_pauses() const { return steal_pauses_; }

  private:
    std::uint32_t pauses_ = 1;
    std::uint32_t steal_pauses_ = 0;
};

/// The points of a group that were run, and those of them that failed.
struct Ran {
    std::uint32_t points;
    std::uint32_t failed;
};

/// The state of one worker.
struct alignas(64) Worker {
    explicit Worker(unsigned own_index) : index(own_index) {}

    WorkQueue queue;
    alignas(64) const unsigned index;
    std::uint32_t items_until_sample = 1;      // owner only
    std::uint32_t items_until_background = 0;  // owner only
    std::uint64_t idle_since = 0;              // owner only: ticks; 0 while busy
    std::uint64_t clock = 0;                   // owner only: ticks at some time before now
    Backoff backoff;                           // owner only
    Throttle throttle;                         // owner only
    StealProbe steal_probe;                    // owner only
    OwnedCounter points, skipped, groups, steals, sleeps, background_jobs, waits;
    // 0: the launching thread while it launches, or a worker that is backing off.
    alignas(64) base::Atomic<std::uint32_t> running{1};

    void set_running(bool value) { running.store(value ? 1 : 0, std::memory_order_relaxed); }
    void found_work() {
        idle_since = 0;
        backoff.reset_idle();
    }
};

}  // namespace refrain::graph
