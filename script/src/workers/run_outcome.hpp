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

}  // namespace refrain::script
