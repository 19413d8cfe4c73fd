#pragma once

#include "base/atomic.hpp"
#include "graph/sharing_policy.hpp"
#include "graph/steal_cost.hpp"
#include "graph/work_queue.hpp"

#include <cstdint>
#include <utility>

namespace refrain::graph {

struct WorkerCounters {
    std::uint64_t points = 0;   // run, or skipped
    std::uint64_t skipped = 0;  // not run: their input was not produced
    std::uint64_t groups = 0;   // items run: one locked operation serves points / groups points
    std::uint64_t steals = 0;
    std::uint64_t sleeps = 0;
    std::uint64_t background_jobs = 0;
    std::uint64_t waits = 0;  // rests (sharing_policy.hpp)
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

/// The points of a group that were run, and those of them that failed.
struct Ran {
    std::uint32_t points;
    std::uint32_t failed;
};

/// The state of one worker.
struct alignas(64) Worker {
    Worker(unsigned own_index, const StealCost& cost)
        : index(own_index), steal_latency(cost.ticks(), cost.longest()) {}

    WorkQueue queue;
    alignas(64) const unsigned index;
    std::uint32_t items_until_background = 0;  // owner only
    std::uint64_t idle_since = 0;              // owner only: ticks; 0 while busy
    std::uint64_t clock = 0;                   // owner only: ticks at some time before now
    SharingPolicy policy;                      // owner only
    StealLatency steal_latency;                // owner only
    struct Found {
        const WorkQueue* queue = nullptr;
        std::int64_t bottom = 0;
        [[nodiscard]] bool operator==(const Found&) const = default;
    } found;                    // owner only: the last queue of another in which it found an item
    bool is_searching = false;  // owner only: counted by Sleep; never worker 0
    bool ran_others_lane = false;  // owner only: just now; worker 0 only
    bool keeps_groups = false;     // owner only: it splits none for others; worker 0 only (I6a)
    OwnedCounter points, skipped, groups, steals, sleeps, background_jobs, waits;
    // 0: the launching thread while it launches, or a worker that is backing off.
    alignas(64) base::Atomic<std::uint32_t> running{1};

    void set_running(bool value) { running.store(value ? 1 : 0, std::memory_order_relaxed); }
    [[nodiscard]] SharingLimits limits() const { return SharingLimits::of(steal_latency.ticks()); }
    /// Whether the owner of the queue has pushed something since this worker last found an item, there: then lines have
    /// to come for the next one. Else they have come with the last.
    [[nodiscard]] bool sees_anew(const WorkQueue& other) {
        const Found now{&other, other.bottom()};
        return std::exchange(found, now) != now;
    }
    void found_work() {
        idle_since = 0;
        policy.found_work();
    }
};

}  // namespace refrain::graph
