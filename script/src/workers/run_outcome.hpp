#pragma once

#include "engine/engine.hpp"

#include <string>
#include <vector>

namespace refrain::script {

/// A call of a leaf function, for reports. Times are nanoseconds since the run began.
struct Span {
    std::uint32_t worker = 0;
    std::uint32_t task = 0;  // index of the definition
    std::uint64_t created_ns = 0;
    std::uint64_t ready_ns = 0;
    std::uint64_t begin_ns = 0;
    std::uint64_t end_ns = 0;
    bool failed = false;
};

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
    std::vector<Span> spans;
    std::uint64_t spans_left_out = 0;
    bool stopped = false;                                               // before its end
    std::vector<std::pair<engine::Failure, std::uint64_t>> unfinished;  // then: what did not run

    [[nodiscard]] bool succeeded() const { return failures.empty() && waiting.empty() && !stopped; }
};

}  // namespace refrain::script
