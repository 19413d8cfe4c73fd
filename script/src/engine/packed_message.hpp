#pragma once

#include "engine/engine.hpp"

#include <string>
#include <string_view>

namespace refrain::script::engine {

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

/// What a rank knows when its run has ended.
struct RankReport {
    Tally tally;
    std::vector<Failure> failures;
    std::vector<Failure> skipped;
    std::vector<WaitingTask> waiting;
    std::vector<std::pair<Failure, std::uint64_t>> unfinished;
    std::vector<std::string> temporary_files;
    SpanLog calls;
    std::uint64_t messages = 0;  // that it has sent to others
    std::uint64_t live_data = 0;
    bool stopped = false;  // by the end of the run
};
/// A call that a rank has somebody else make, and what comes of it.
struct CallRequest {
    std::uint32_t definition = 0;  // of the task
    std::vector<Value> arguments;
    std::vector<Value> results;  // as on entry of Leaf::call
    std::uint64_t created_ns = 0;
    std::uint64_t ready_ns = 0;
};
struct CallOutcome {
    std::vector<Value> results;
    FailurePointer failure;
    bool cut_off = false;  // by the end of the run
};
using Descriptions = std::vector<std::pair<DatumId, Store::Description>>;

/// As bytes, for ranks that share no memory: in the order of the machine, files by their names. Of Message,
/// std::vector<Message>, RankReport, CallRequest, CallOutcome, CausalOrder::Parcel, std::vector<DatumId> and Descriptions.
template <class T>
[[nodiscard]] std::string packed(T is);
/// Errors: ScriptError if the bytes are none of packed().
template <class T>
[[nodiscard]] T unpacked(std::string_view bytes);

}  // namespace refrain::script::engine
