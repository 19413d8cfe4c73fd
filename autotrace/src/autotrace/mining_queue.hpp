#pragma once

#include "autotrace/found_repeat.hpp"
#include "autotrace/history.hpp"
#include "autotrace/miner.hpp"
#include "base/atomic.hpp"
#include "base/mutex.hpp"
#include "refrain/autotrace.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace refrain::autotrace {

/// Idle miners; as many exist as ever mined at the same time.
class MinerPool {
  public:
    explicit MinerPool(const Options& options) : options_(options) {}
    std::unique_ptr<Miner> take();
    void give_back(std::unique_ptr<Miner> miner);

  private:
    const Options& options_;
    base::Mutex mutex_;
    std::vector<std::unique_ptr<Miner>> idle_ REFRAIN_GUARDED_BY(mutex_);
};

/// The slices that are being mined, and the repeats found in them.
///
///   submit, next_due, take_due, searched    launching thread
///   run                                     any thread, once per submitted job
///
/// States of a job, and who owns its fields:
///   idle       launching thread
///   submitted  the executor, until run ends with a release of `done`
///   done       launching thread, which acquired `done`
///
/// Q1  The result of a job is taken at the position that was fixed at its submission, in the order
///     of these positions and then of submission. Results are thus a function of the stream alone.
///     If a job is not done by then, the launching thread helps the executor.
/// Q2  The history's ring keeps the tokens of a slice until its result is taken.
class MiningQueue {
  public:
    MiningQueue(const Options& options, const History& history, MiningExecutor* executor);
    MiningQueue(const MiningQueue&) = delete;
    MiningQueue& operator=(const MiningQueue&) = delete;
    MiningQueue(MiningQueue&&) = delete;
    MiningQueue& operator=(MiningQueue&&) = delete;
    /// Waits for the jobs of the executor; those that have not begun return immediately.
    ~MiningQueue();

    /// Mines the newest `length` tokens.
    void submit(std::size_t length);

    /// The position at which the next result is due; the largest position if there is none.
    [[nodiscard]] Position next_due() const;

    /// Slices with taken results that the filter did not exclude.
    [[nodiscard]] std::uint64_t searched() const { return searched_; }

    /// Takes the result of the next job. Valid until submit.
    [[nodiscard]] std::span<const FoundRepeat> take_due();

  private:
    enum class State { idle, submitted };

    struct Job {
        State state = State::idle;
        Slice slice{};
        Position due = 0;
        std::uint64_t number = 0;
        std::vector<Position> breaks;
        std::vector<FoundRepeat> found;
        bool searched = false;
        base::Atomic<bool> done{false};
        MiningQueue* queue = nullptr;
    };

    static void run(void* context);
    void mine(Job& job);
    [[nodiscard]] Job& idle_job();
    [[nodiscard]] Job* next_job() const;
    void wait_for(const Job& job);
    [[nodiscard]] std::size_t delay(std::size_t length) const;

    const Options& options_;
    const History& history_;
    MiningExecutor* executor_;
    bool synchronous_;
    MinerPool miners_;
    std::vector<std::unique_ptr<Job>> jobs_;
    std::uint64_t submitted_ = 0;
    std::uint64_t searched_ = 0;
    base::Atomic<bool> closing_{false};
};

}  // namespace refrain::autotrace
