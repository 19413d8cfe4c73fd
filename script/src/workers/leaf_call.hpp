#pragma once

#include "engine/packed_message.hpp"
#include "refrain/script/run_control.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

namespace refrain::script {

/// What comes of a call.
struct CallOutcome {
    std::vector<Value> results;
    engine::FailurePointer failure;
    bool cut_off = false;  // by the end of the run
};
/// Calls the leaf of a task that the engine has given; what it throws becomes the failure.
[[nodiscard]] CallOutcome called(const engine::Engine& engine, const engine::Task& task,
                                 Services& services, const RunControl& control);

/// Time since the run began.
class RunClock {
  public:
    using Clock = std::chrono::steady_clock;
    explicit RunClock(Clock::time_point began = Clock::now()) : began_(began) {}
    [[nodiscard]] Clock::time_point began() const { return began_; }
    [[nodiscard]] std::uint64_t now_ns() const {
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began_).count());
    }
    [[nodiscard]] double now_s() const { return static_cast<double>(now_ns()) * 1e-9; }

  private:
    Clock::time_point began_;
};

/// The calls of a worker, which are made without its lock, and what is known of them.
///
/// Brief ones are calls of C and C++ functions that have nearly always been short. They are made like short tasks, one after
/// the other, and what they send waits until the last of some has ended. One may take long all the same, or wait for what
/// others do: `since` says when one began, or is 0, and somebody has to look after it.
class Calls {
  public:
    Calls(const tasks::TaskProgram& program, const RunClock& clock,
          std::unique_lock<std::mutex>& lock, std::atomic<std::uint64_t>& since,
          std::function<void(const engine::Span&)> ended);

    [[nodiscard]] bool may_be_brief() const { return any_; }
    [[nodiscard]] bool is_brief(const engine::Task& task) const {
        return scores_[task.definition] >= brief_from;
    }
    [[nodiscard]] std::uint64_t now_ns() const { return clock_.now_ns(); }
    /// A brief call, whose engine is locked, or a long one. Afterwards it is locked, and knows when the call ended.
    [[nodiscard]] CallOutcome make(engine::Engine& engine, const engine::Task& task,
                                   Services& services, const RunControl& control,
                                   std::uint64_t& now_ns);

  private:
    static constexpr std::uint8_t brief_from = 8;
    void note(const engine::Span& span);

    const RunClock& clock_;
    std::unique_lock<std::mutex>& lock_;
    std::atomic<std::uint64_t>& since_;
    std::function<void(const engine::Span&)> ended_;
    bool any_ = false;
    std::vector<bool> may_be_brief_;    // by definition
    std::vector<std::uint8_t> scores_;  // grow by short calls, shrink by long ones
};

/// Runs some tasks whose calls are short; says so when one has failed. Returns one whose call is long, which is next.
[[nodiscard]] std::optional<engine::Task> run_short(engine::Engine& engine, Services& services,
                                                    const RunControl& control, Calls& calls,
                                                    const std::function<void()>& on_failure);

/// What a failure does to the run. `independent`: nothing.
void heed_failure(FailurePolicy policy, RunControl& control);

}  // namespace refrain::script
