#pragma once

#include "engine/packed_message.hpp"
#include "refrain/script/run_control.hpp"

#include <chrono>
#include <functional>

namespace refrain::script {

/// Calls the leaf of a task; what it throws becomes the failure. `results` are as on entry of Leaf::call.
[[nodiscard]] engine::CallOutcome called(const tasks::TaskDefinition& task,
                                         std::span<const Value> arguments,
                                         std::vector<Value> results, Services& services,
                                         const RunControl& control);
/// The same for a task that an engine has given.
[[nodiscard]] engine::CallOutcome called(const engine::Engine& engine, const engine::Task& task,
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

/// Calls of C and C++ functions that have nearly always been short. They are made like short tasks, one after the other,
/// and what they send waits until the last of some has ended. One may take long all the same, or wait for what others do:
/// somebody has to look after it.
class BriefCalls {
  public:
    struct Driver {
        const RunClock& clock;
        std::function<void(std::uint64_t now_ns)> begin;  // gives the engine free for others
        std::function<void()> end;                        // and takes it back
        std::function<void(const engine::Span&)> record;
    };
    BriefCalls(const tasks::TaskProgram& program, Driver driver);

    [[nodiscard]] std::uint64_t now_ns() const { return driver_.clock.now_ns(); }
    [[nodiscard]] bool any() const { return any_; }
    [[nodiscard]] bool allows(const engine::Task& task) const {
        return scores_[task.definition] >= brief_from;
    }
    /// `now_ns` is when the last one ended, and becomes when this one does.
    [[nodiscard]] engine::CallOutcome make(const engine::Engine& engine, const engine::Task& task,
                                           Services& services, const RunControl& control,
                                           std::uint64_t& now_ns);
    /// A call, brief or not, has ended.
    void note(const engine::Span& span);

  private:
    static constexpr std::uint8_t brief_from = 8;
    static constexpr std::uint8_t score_max = 64;
    Driver driver_;
    bool any_ = false;
    std::vector<std::uint8_t> scores_;  // by definition: grow by short calls, shrink by long ones
    std::vector<bool> may_be_brief_;
};

/// Runs some tasks whose calls are short; says so when one has failed. Returns one whose call is long, which is next.
/// Without `brief`, all calls but those of the library are long.
[[nodiscard]] std::optional<engine::Task> run_short(engine::Engine& engine, Services& services,
                                                    const RunControl& control, BriefCalls* brief,
                                                    const std::function<void()>& on_failure);

/// What a failure does to the run. `independent`: nothing.
void heed_failure(FailurePolicy policy, RunControl& control);

}  // namespace refrain::script
