// What the program marks in its stream of launches: traces, and what is of interest.

#include "refrain/error.hpp"
#include "runtime/core.hpp"

#include <string>

namespace refrain::runtime {
namespace {

std::string trace_name(std::uint64_t id) {
    return "trace " + std::to_string(id);
}

}  // namespace

void Core::begin_trace(std::uint64_t id) {
    guarded("begin_trace", [&] {
        check_thread("begin_trace");
        if (manual_trace_)
            throw UsageError("begin_trace(" + std::to_string(id) + ") inside " +
                             trace_name(*manual_trace_) +
                             ": traces do not nest; end the first one before");
        if (id >= trace::automatic_ids)
            throw UsageError(
                "begin_trace(" + std::to_string(id) +
                "): ids from 2^63 on are taken by automatic tracing; use a smaller one");
        interrupt();
        alone_switch_.leave();
        if (inline_) inline_->wake();
        if (options_.analysis == Analysis::automatic && pipeline_.is_analysed_by_states())
            analyse_by_walks();
        manual_trace_ = id;
        pipeline_.begin_trace(trace::TraceId{id}, options_.checks.strict_traces
                                                      ? trace::Tracer::OnMismatch::fail
                                                      : trace::Tracer::OnMismatch::fall_back);
    });
}

void Core::end_trace(std::uint64_t id) {
    guarded("end_trace", [&] {
        check_thread("end_trace");
        if (!manual_trace_)
            throw UsageError("end_trace(" + std::to_string(id) +
                             ") without a begin_trace; call begin_trace(" + std::to_string(id) +
                             ") first");
        if (*manual_trace_ != id)
            throw UsageError("end_trace(" + std::to_string(id) + ") inside " +
                             trace_name(*manual_trace_) + ": end that one");
        manual_trace_.reset();
        if (pipeline_.is_in_trace()) pipeline_.end_trace();
    });
}

void Core::begin_interest() {
    guarded("begin_interest", [&] {
        check_thread("begin_interest");
        if (is_of_interest_)
            throw UsageError(
                "begin_interest() after begin_interest(): what comes is of interest already; call "
                "end_interest() first");
        is_of_interest_ = true;
        if (observer_ == nullptr) return;
        observer_->begin_interest(next_operation_.value());
        pipeline_.follow_task_logs();
    });
}

void Core::end_interest() {
    check_thread("end_interest");
    if (!is_of_interest_)
        throw UsageError("end_interest() without a begin_interest(); call begin_interest() first");
    is_of_interest_ = false;
    if (observer_ != nullptr) observer_->end_interest(next_operation_.value());
}

}  // namespace refrain::runtime
