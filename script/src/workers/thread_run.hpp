#pragma once

#include "refrain/script/run_control.hpp"
#include "syntax/sources.hpp"
#include "tasks/task_program.hpp"
#include "workers/run_outcome.hpp"

#include <functional>

namespace refrain::script {

struct ThreadRunOptions {
    std::uint32_t workers = 1;
    std::size_t spans_max = 0;  // calls that are recorded, of each worker
    FailurePolicy failures = FailurePolicy::independent;
    RunControl* control = nullptr;  // ends the run early; must be there
    /// Over MPI: what this process has counted of its calls, at its end; may be empty.
    std::function<engine::CallTally()> tally_of_calls;
    /// Called some ten times a second, from one thread; may be empty.
    std::function<void(const engine::Tally&, std::uint32_t running, double seconds)> on_progress;
};

/// Runs a program on threads, one engine each.
[[nodiscard]] RunOutcome run_on_threads(const tasks::TaskProgram& program, const Sources& sources,
                                        Services& services, const ThreadRunOptions& options);

/// The worker that the calling thread is; 0 outside of a run.
[[nodiscard]] std::uint32_t& worker_of_this_thread();

}  // namespace refrain::script
