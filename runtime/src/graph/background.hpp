#pragma once

#include "base/assertion.hpp"
#include "base/atomic.hpp"
#include "base/mutex.hpp"

#include <cstddef>
#include <deque>

namespace refrain::graph {

/// A queue of low-priority jobs that belong to no task, such as mining.
///   submit, run_one             any thread
///   has_jobs, has_jobs_ordered  any thread
///
/// Jobs start in submission order and may run concurrently. mutex_ guards jobs_; job_count_ mirrors
/// its size for readers without the lock.
/// Pairs: submit's store of job_count_ with has_jobs_ordered's load (both seq_cst), as sleep.hpp
///     requires of published work.
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
        job_count_.store(jobs_.size(), std::memory_order_seq_cst);
    }
    /// A hint.
    [[nodiscard]] bool has_jobs() const { return job_count_.load(std::memory_order_relaxed) != 0; }
    /// Ordered after the caller's earlier seq_cst steps: for a worker that has announced that it
    /// sleeps.
    [[nodiscard]] bool has_jobs_ordered() const {
        return job_count_.load(std::memory_order_seq_cst) != 0;
    }
    /// Takes the oldest job and runs it; false if there is none.
    bool run_one() {
        if (!has_jobs()) return false;
        Job job;
        {
            const base::LockGuard lock(mutex_);
            if (jobs_.empty()) return false;
            job = jobs_.front();
            jobs_.pop_front();
            // Relaxed: the count falls, so no sleeper has to be woken.
            job_count_.store(jobs_.size(), std::memory_order_relaxed);
        }
        job.run(job.context);
        return true;
    }

  private:
    mutable base::Mutex mutex_;
    std::deque<Job> jobs_ REFRAIN_GUARDED_BY(mutex_);
    base::Atomic<std::size_t> job_count_{0};
};

}  // namespace refrain::graph
