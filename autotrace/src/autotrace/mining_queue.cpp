#include "autotrace/mining_queue.hpp"

#include "base/assertion.hpp"

#include <new>
#include <utility>

namespace refrain::autotrace {

std::unique_ptr<Miner> MinerPool::take() {
    {
        const base::LockGuard lock(mutex_);
        if (!idle_.empty()) {
            std::unique_ptr<Miner> miner = std::move(idle_.back());
            idle_.pop_back();
            return miner;
        }
    }
    return std::make_unique<Miner>(options_);
}

void MinerPool::give_back(std::unique_ptr<Miner> miner) {
    REFRAIN_ASSERT(miner != nullptr, "no miner is given back");
    const base::LockGuard lock(mutex_);
    idle_.push_back(std::move(miner));
}

MiningQueue::MiningQueue(const Options& options, const History& history, MiningExecutor* executor)
    : options_(options),
      history_(history),
      executor_(executor),
      synchronous_(options.synchronous_mining || executor == nullptr),
      miners_(options) {}

MiningQueue::~MiningQueue() {
    closing_.store(true, std::memory_order_relaxed);  // publishes nothing; only saves work
    for (const auto& job : jobs_) {
        if (job->state == State::submitted) wait_for(*job);
    }
}

void MiningQueue::submit(std::size_t length) {
    REFRAIN_ASSERT(length <= history_.end().value(), "a slice begins before the history");
    REFRAIN_ASSERT(length <= history_.capacity(), "a slice is longer than what is remembered");
    Job& job = idle_job();
    job.queue = this;
    job.number = submitted_++;
    job.due = history_.end() + delay(length);
    const Position begin = history_.end() - length;
    history_.list_breaks(begin, job.breaks);
    job.slice = {.begin = begin, .end = history_.end(), .breaks = job.breaks};
    job.done.store(false, std::memory_order_relaxed);  // published by the executor's submit
    job.state = State::submitted;
    if (executor_ == nullptr) {
        run(&job);
    } else if (synchronous_) {
        executor_->run_now({run, &job});
    } else {
        executor_->submit({run, &job});
    }
}

/// A longer slice takes longer to mine, and a delay of its own length increases the reaction time
/// by at most a factor of two.
std::size_t MiningQueue::delay(std::size_t length) const {
    if (options_.result_delay_operations) return *options_.result_delay_operations;
    return synchronous_ ? 0 : length;
}

void MiningQueue::run(void* context) {
    Job& job = *static_cast<Job*>(context);
    job.queue->mine(job);
    job.done.store(true, std::memory_order_release);  // publishes job.found; last access
}

void MiningQueue::mine(Job& job) {
    job.found.clear();
    job.searched = false;
    if (closing_.load(std::memory_order_relaxed)) return;
    try {
        std::unique_ptr<Miner> miner = miners_.take();
        job.searched = miner->mine(history_, job.slice, job.found);
        miners_.give_back(std::move(miner));
    } catch (const std::bad_alloc&) {
        job.found.clear();  // a slice that cannot be mined has no repeats
    }
}

Position MiningQueue::next_due() const {
    const Job* job = next_job();
    return job == nullptr ? Position::greatest() : job->due;
}

std::span<const FoundRepeat> MiningQueue::take_due() {
    Job* job = next_job();
    if (job == nullptr) return {};
    wait_for(*job);
    job->state = State::idle;
    searched_ += job->searched ? 1 : 0;
    return job->found;
}

MiningQueue::Job& MiningQueue::idle_job() {
    for (const auto& job : jobs_) {
        if (job->state == State::idle) return *job;
    }
    jobs_.push_back(std::make_unique<Job>());
    return *jobs_.back();
}

MiningQueue::Job* MiningQueue::next_job() const {
    Job* next = nullptr;
    for (const auto& job : jobs_) {
        if (job->state != State::submitted) continue;
        const bool earlier = next == nullptr ||
                             std::pair(job->due, job->number) < std::pair(next->due, next->number);
        if (earlier) next = job.get();
    }
    return next;
}

void MiningQueue::wait_for(const Job& job) {
    REFRAIN_ASSERT(executor_ != nullptr || job.done.load(std::memory_order_relaxed),
                   "somebody waits for a job that nobody runs");
    while (!job.done.load(std::memory_order_acquire)) executor_->help();
}

}  // namespace refrain::autotrace
