#pragma once

#include "engine/packed_message.hpp"
#include "refrain/script/run_control.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

namespace refrain::script {

/// Time since the run began.
class RunClock {
  public:
    [[nodiscard]] std::uint64_t now_ns() const {
        return static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - began_).count());
    }
    [[nodiscard]] double now_s() const { return static_cast<double>(now_ns()) * 1e-9; }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point began_ = Clock::now();
};

/// What a worker and its calls have to do with each other.
struct CallSettings {
    const RunControl& control;
    const RunClock& clock;
    std::size_t spans_max = 0;  // that are recorded; 0: the calls of a batch are not told apart
    std::uint64_t target_ns =
        0;  // how long calls may be made one after the other: brief_target_ns()
};
/// How long a message may wait without much harm: about what waking a worker takes, as starting a thread does.
/// 0 if no call of the program may be brief.
[[nodiscard]] std::uint64_t brief_target_ns(const tasks::TaskProgram& program,
                                            const RunClock& clock);

/// The calls of a worker, which are made without its lock, and what is known of them.
///
/// Brief ones are calls of C and C++ functions that take so little that several fit into the target. They are made in batches:
/// taken together, called one after the other, and finished together, so that a lock, a look at the clock and a message serve
/// all of them. One may take long all the same, or wait for what others do: `since` says when a batch began, or is 0, and
/// somebody has to look after it, who then calls relieve().
///
///     begun_    calls that the worker has begun, and more when it has seen the end; claimed without the lock
///     end_      those behind are not the batch's any more: they have been put back
///     finished_ those before have been finished
class Calls {
  public:
    /// `ended` may be empty; it is called after each recorded call, or after a batch.
    Calls(const tasks::TaskProgram& program, engine::Engine& engine, Services& services,
          const CallSettings& settings, std::unique_lock<std::mutex>& lock,
          std::atomic<std::uint64_t>& since, std::function<void()> ended);

    /// Runs some tasks whose calls are short or brief; says so when one has failed. Returns one whose call is long, and next.
    [[nodiscard]] std::optional<engine::Task> run_short(const std::function<void()>& on_failure);
    /// Makes a long call. False if the end of the run has cut it off: then the task does not end.
    bool run_long(engine::Task task);
    /// The same with the lock, which others wait for.
    bool run_here(engine::Task task);
    /// With the lock, in another thread, while the worker makes calls: all but the one that it makes now is for others.
    void relieve();
    /// Where the call of a task stands, and what it calls.
    [[nodiscard]] engine::Failure place_of(const engine::Task& task) const {
        return {engine_.definition(task).at, engine_.call_of(task)->name};
    }

    engine::SpanLog spans;                 // under the lock
    std::vector<engine::Failure> cut_off;  // calls that the end of the run has ended; the worker's

  private:
    /// How long the calls of a function have taken.
    struct Score {
        std::uint64_t calls = 0;
        std::uint64_t all_ns = 0;
        std::uint64_t last_ns = 0;  // of one, on average
    };
    [[nodiscard]] std::size_t brief_count(const engine::Task& task) const;
    void take_batch(engine::Task&& first, std::size_t most);
    void make_batch();
    [[nodiscard]] const engine::Task& next_turn();
    void call(const engine::Task& task, std::size_t index);
    void keep_failure(std::size_t index, engine::FailurePointer failure);
    struct End {
        std::uint64_t ns;
        double paused_s;
    };
    void report(const engine::Task& task, const End& end, bool failed);
    void finish_until(std::size_t end);
    [[nodiscard]] bool finish_long();

    const tasks::TaskProgram& program_;
    engine::Engine& engine_;
    Services& services_;
    CallSettings settings_;
    std::unique_lock<std::mutex>& lock_;
    std::atomic<std::uint64_t>& since_;
    std::function<void()> ended_;
    std::vector<bool> may_be_brief_;  // by definition
    std::vector<Score> scores_;
    // The batch: tasks, of which some are intervals and stand for several calls. Memory is kept.
    struct Place {
        std::size_t task = 0;
        std::int64_t turn = 0;

        /// Behind so many turns of that task.
        void advance(const engine::Task& is, std::size_t turns = 1) {
            turn += static_cast<std::int64_t>(turns);
            if (is.range && turn < is.range->count) return;
            turn = 0;
            ++task;
        }
    };
    std::vector<engine::Task> batch_;
    Place next_;                  // what is called next; the worker's
    Place last_;                  // what is finished next
    std::vector<Value> results_;  // of each task; those of the turns of an interval are not used
    std::vector<Value> arguments_;
    std::vector<End> ends_;                         // of calls that are reported
    std::vector<engine::FailurePointer> failures_;  // of calls, once one has failed
    std::size_t result_count_ = 0;                  // of each
    std::size_t count_ = 0;
    std::size_t end_ = 0;
    std::size_t finished_ = 0;
    std::atomic<bool> some_failed_{false};  // of the batch; else nobody looks at failures_
    bool cut_off_ = false;                  // the only call, by the end of the run
    bool any_failed_ = false;
    bool reports_ = false;  // each of its calls
    std::atomic<std::size_t> begun_{0};
    std::uint64_t begin_ns_ = 0;
    std::uint64_t end_ns_ = 0;  // of the last batch, or when tasks began to be run
    std::uint64_t calls_ns_ = 0, between_ns_ = 0;  // altogether
};

/// What a failure does to the run. `independent`: nothing.
void heed_failure(FailurePolicy policy, RunControl& control);

}  // namespace refrain::script
