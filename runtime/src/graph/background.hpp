#pragma once

#include "base/assertion.hpp"
#include "base/atomic.hpp"
#include "base/mutex.hpp"

#include <cstddef>
#include <deque>

namespace refrain::graph {

/// Work of low priority that belongs to no task: mining, compiling.
///   submit, run_one                any thread
///   waiting, is_waiting_ordered    any thread
///
/// Jobs start in the order in which they were submitted and may run side by side.
class BackgroundJobs {
  public:
    struct Job {
        void (*run)(void* context);
        void* context;
    };

    void submit(Job job) {
        REFRAIN_ASSERT(job.run != nullptr, "a job without a function is submitted");
        const base::LockGuard lock(mutex_);
        jobs_.push_back(job);
        waiting_.store(jobs_.size(), std::memory_order_seq_cst);  // as is_waiting_ordered says
    }
    /// A hint: some job waits.
    [[nodiscard]] bool waiting() const { return waiting_.load(std::memory_order_relaxed) != 0; }
    /// The same, ordered after whatever the caller did before (seq_cst): for a worker that
    /// announced that it rests (sleep.hpp).
    [[nodiscard]] bool is_waiting_ordered() const {
        return waiting_.load(std::memory_order_seq_cst) != 0;
    }
    /// Takes the oldest job and runs it; false if there is none.
    bool run_one() {
        if (!waiting()) return false;
        Job job;
        {
            const base::LockGuard lock(mutex_);
            if (jobs_.empty()) return false;
            job = jobs_.front();
            jobs_.pop_front();
            waiting_.store(jobs_.size(), std::memory_order_relaxed);  // fewer: nobody sleeps on it
        }
        job.run(job.context);
        return true;
    }

  private:
    mutable base::Mutex mutex_;
    std::deque<Job> jobs_ REFRAIN_GUARDED_BY(mutex_);
    base::Atomic<std::size_t> waiting_{0};
};

}  // namespace refrain::graph
