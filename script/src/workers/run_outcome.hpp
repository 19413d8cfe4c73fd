#pragma once

#include "engine/packed_message.hpp"

#include <string>
#include <vector>

namespace refrain::script {

/// What all ranks report.
struct RunOutcome : engine::RankReport {
    double seconds = 0;
    std::string waiting_text;

    [[nodiscard]] bool succeeded() const { return failures.empty() && waiting.empty() && !stopped; }
    void add(engine::RankReport report);
    /// In the order of the script.
    void sort_failures();
};

/// What is left of a rank when it, or at least the run, has ended. Calls that were cut off are tasks that did not run.
[[nodiscard]] engine::RankReport report_of(engine::Engine& engine,
                                           std::vector<engine::Failure> cut_off,
                                           bool run_stopped = false);

}  // namespace refrain::script
