#pragma once

#include "engine/engine.hpp"
#include "memo/packed_value.hpp"
#include "values/text.hpp"

#include <string>

namespace refrain::script::engine {

/// A call of a leaf function, for reports. Times are nanoseconds since the run began.
struct Span {
    std::uint32_t worker = 0;
    std::uint32_t task = 0;  // index of the definition
    std::uint64_t created_ns = 0;
    std::uint64_t ready_ns = 0;
    std::uint64_t begin_ns = 0;
    std::uint64_t end_ns = 0;
    double paused_s = 0;
    bool failed = false;
};
/// The calls of one worker, as far as they are kept.
struct SpanLog {
    std::vector<Span> spans;
    std::uint64_t left_out = 0;

    void add(const Span& span, std::size_t most) {
        if (spans.size() < most)
            spans.push_back(span);
        else
            ++left_out;
    }
};

/// Calls that were not made because their results were known, further attempts, and warnings of a process.
struct CallTally {
    std::uint64_t cached = 0;
    std::uint64_t retried = 0;
    std::string warnings;  // lines

    /// A warning that several processes give is one.
    void add(const CallTally& more) {
        cached += more.cached;
        retried += more.retried;
        for (std::string& line : parts_of(more.warnings, "\n"))
            if (line += '\n'; warnings.find(line) == std::string::npos) warnings += line;
    }
};

/// What a rank knows when its run has ended.
struct RankReport {
    Tally tally;
    std::vector<Failure> failures;
    std::vector<Failure> skipped;  // place and name of tasks that did not run because of these
    std::vector<WaitingTask> waiting;
    Descriptions waited_for;                                    // of its data, by tasks of any rank
    std::vector<std::pair<Failure, std::uint64_t>> unfinished;  // if stopped: what did not run
    std::vector<std::string> temporary_files;
    SpanLog calls;
    std::uint64_t messages = 0;   // that it has sent to others
    std::uint64_t live_data = 0;  // data that nobody freed
    bool stopped = false;         // before its end
    CallTally tally_of_calls;     // of other processes
    HotVariable hottest{};
    std::vector<std::string> left{};  // data that nobody freed, if that is asked for
};

// For ranks that share no memory. Files are packed by their names.
using script::packed;
using script::unpacked;

}  // namespace refrain::script::engine
