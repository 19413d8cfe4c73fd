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

/// Runs some tasks whose calls are short; says so when one has failed. Returns one whose call is long, which is next.
[[nodiscard]] std::optional<engine::Task> run_short(engine::Engine& engine, Services& services,
                                                    const RunControl& control,
                                                    const std::function<void()>& on_failure);

/// What a failure does to the run. `independent`: nothing.
void heed_failure(FailurePolicy policy, RunControl& control);

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

}  // namespace refrain::script
