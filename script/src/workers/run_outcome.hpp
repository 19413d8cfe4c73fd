#pragma once

#include "engine/packed_message.hpp"

#include <string>
#include <vector>

namespace refrain::script {

struct RunOutcome {
    double seconds = 0;
    engine::Tally tally;
    std::uint64_t messages = 0;  // between ranks
    std::size_t live_data = 0;   // data that nobody freed
    std::vector<engine::Failure> failures;
    std::vector<engine::Failure>
        skipped;  // place and name of tasks that did not run because of these
    std::vector<engine::WaitingTask> waiting;
    std::string waiting_text;
    engine::SpanLog calls;
    engine::CallTally tally_of_calls;                                   // of other processes
    bool stopped = false;                                               // before its end
    std::vector<std::pair<engine::Failure, std::uint64_t>> unfinished;  // then: what did not run

    [[nodiscard]] bool succeeded() const { return failures.empty() && waiting.empty() && !stopped; }
    void add(engine::RankReport report);
    /// In the order of the script.
    void sort_failures();
};

/// By owner, the data that waiting tasks name; and what an engine knows of some.
[[nodiscard]] std::map<engine::Rank, std::vector<DatumId>> data_named(
    const std::vector<engine::WaitingTask>& waiting);
[[nodiscard]] engine::Descriptions descriptions_of(const engine::Engine& engine,
                                                   const std::vector<DatumId>& data);

/// What is left of a rank when it, or at least the run, has ended. Calls that were cut off are tasks that did not run.
[[nodiscard]] engine::RankReport report_of(engine::Engine& engine,
                                           std::vector<engine::Failure> cut_off,
                                           bool run_stopped = false);

}  // namespace refrain::script
