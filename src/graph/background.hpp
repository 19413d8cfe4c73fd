#pragma once

#include "base/atomic.hpp"

#include <cstddef>
#include <deque>
#include <mutex>

namespace refrain::graph {

/// Work of low priority that belongs to no task: mining, compiling.
///   submit, run_one    any thread
/// Jobs start in the order in which they were submitted and may run side by side.
class BackgroundJobs {
  public:
    struct Job {
        void (*run)(void* context);
        void* context;
    };

    void submit(Job job) {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(job);
        waiting_.store(jobs_.size(), std::memory_order_relaxed);  // a hint
    }
    /// A hint: some job waits.
    [[nodiscard]] bool waiting() const { return waiting_.load(std::memory_order_relaxed) != 0; }
    /// Takes the oldest job and runs it; false if there is none.
    bool run_one() {
        if (!waiting()) return false;
        Job job;
        {
            const std::lock_guard lock(mutex_);
            if (jobs_.empty()) return false;
            job = jobs_.front();
            jobs_.pop_front();
            waiting_.store(jobs_.size(), std::memory_order_relaxed);  // a hint
        }
        job.run(job.context);
        return true;
    }

  private:
    mutable std::mutex mutex_;  // guards jobs_
    std::deque<Job> jobs_;
    base::Atomic<std::size_t> waiting_{0};
};

}  // namespace refrain::graph
