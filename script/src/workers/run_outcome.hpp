#pragma once

#include "syntax/sources.hpp"
#include "workers/leaf_call.hpp"

#include <string>

namespace refrain::script {

/// What all ranks report.
struct RunOutcome : engine::RankReport {
    double seconds = 0;
    std::string waiting_text;

    [[nodiscard]] bool succeeded() const { return failures.empty() && waiting.empty() && !stopped; }
    void add(engine::RankReport report);
    /// Once all have been added: failures in the order of the script, and why work waits.
    void finish(const Sources& sources);
};

/// What is left of a rank when it, or at least the run, has ended. Calls that were cut off are tasks that did not run.
[[nodiscard]] engine::RankReport report_of(engine::Engine& engine, Calls& calls,
                                           bool run_stopped = false);

/// What went wrong in a run, each failure with its place and line:
///
///     error: hello.swift:3:1: app 'simulate' ended with status 1
///     did not run, because of that: hello.swift:7:3: summarise (2 tasks)
///     WAITING WORK: 1
[[nodiscard]] std::string failure_text(const RunOutcome& outcome, const Sources& sources);
/// What a dry run could not know: calls whose results would be needed, and what waits for these.
[[nodiscard]] std::string dry_run_text(const RunOutcome& outcome, const Sources& sources);

/// Why work waits at the end of a run, as a tree: the variables that nobody assigned, and who waits for them, directly
/// and through one another. What waits in a cycle is named as one.
///
///     'x' (hello.swift:3:5) was never assigned; waiting for it:
///       hello.swift:4:1: trace
///       hello.swift:5:1: if
///         'y' (hello.swift:3:8), which that would assign; waiting for it:
///           hello.swift:6:1: trace
[[nodiscard]] std::string explain_waiting(const std::vector<engine::WaitingTask>& tasks,
                                          const engine::Descriptions& data, const Sources& sources);

}  // namespace refrain::script
