#include "runtime/auto_host.hpp"

#include "runtime/observed.hpp"
#include "runtime/token.hpp"

#include <algorithm>
#include <limits>
#include <thread>

namespace refrain::runtime {
namespace {

autotrace::Options tracer_options(const Options& options) {
    autotrace::Options o;
    o.trace_length_min = options.tracing.min_length;
    o.trace_length_max = options.tracing.max_length;
    o.loop_length = std::clamp<std::size_t>(o.loop_length, o.trace_length_min, o.trace_length_max);
    o.hand_on_at_once = !options.tracing.mining.hold_back;
    o.history_tokens = options.history_length();
    o.multi_scale_factor = options.tracing.mining.multi_scale_factor;
    o.synchronous_mining = options.tracing.mining.synchronous;
    o.result_delay_operations = options.tracing.mining.delay;
    o.history_bytes_max = std::numeric_limits<std::size_t>::max();  // bounded by history_tokens
    o.candidate_bytes_max = options.limits.candidate_bytes;
    return o;
}

trace::TraceId trace_id(autotrace::TraceId trace) {
    return trace::TraceId{trace::automatic_ids | number_of(trace)};
}

}  // namespace

AutoHost::AutoHost(const Options& options, Pipeline& pipeline, const Log& log,
                   observe::Observer* observer)
    : pipeline_(pipeline),
      log_(log),
      observer_(observer),
      token_bits_(options.checks.token_bits),
      tracer_(tracer_options(options), *this, this) {
    if (observer_ != nullptr) observer_->follow(tracer_);
}

void AutoHost::operation(Operation& operation) {
    if (observer_ != nullptr) [[unlikely]]
        tell_launched(*observer_, operation, [&] { return token_of(operation, token_bits_); });
    const base::Hash128 token = token_of(operation, token_bits_);
    tracer_.operation({token.high, token.low}, operation.number.value());
}

/// Operations in the program's own traces do not come here.
void AutoHost::issue(autotrace::OperationHandle operation) {
    const auto number = graph::OperationNumber::at(operation);
    pipeline_.issue(number);
    if (first_replayed_ == 0 && pipeline_.tracer().last_served() == trace::Tracer::Served::replayed)
        [[unlikely]]
        first_replayed_ = number;
}

void AutoHost::begin_trace(autotrace::TraceId trace, std::size_t length) {
    if (trace > newest_trace_) [[unlikely]] {
        newest_trace_ = trace;
        log_.say(LogLevel::info, "automatic trace " + std::to_string(number_of(trace)) +
                                     ": recording " + std::to_string(length) +
                                     " operations from op" +
                                     std::to_string(pipeline_.next_issue().value()));
    }
    pipeline_.begin_trace(trace_id(trace), trace::Tracer::OnMismatch::fall_back);
}

void AutoHost::end_trace(autotrace::TraceId) {
    pipeline_.end_trace();
}

void AutoHost::leave_trace(autotrace::TraceId) {
    pipeline_.abandon_trace();
}

void AutoHost::forget_trace(autotrace::TraceId trace) {
    pipeline_.forget_trace(trace_id(trace));
}

void AutoHost::submit(Job job) {
    if (observer_ != nullptr) job = observer_->timed(job);
    pipeline_.run_in_background({job.run, job.context});
}

void AutoHost::run_now(Job job) {
    if (observer_ != nullptr) job = observer_->timed(job);
    job.run(job.context);
}

void AutoHost::help() {
    if (!pipeline_.run_background_job()) std::this_thread::yield();
}

void AutoHost::add_to(Statistics& statistics) const {
    const autotrace::Statistics& s = tracer_.statistics();
    AutotraceStatistics& a = statistics.autotrace;
    a.enabled = true;
    a.recogniser = "mined";
    a.traceable = s.traceable;
    a.replayed = s.replayed;
    a.first_replay = first_replayed_.value();
    a.traces = s.traces;
    a.traces_left = s.traces_left;
    a.candidates = s.candidates;
    a.slices_mined = s.slices_mined;
    a.held_back_mean = s.held_back_mean();
    a.bytes = s.candidate_bytes + s.history_bytes;
}

}  // namespace refrain::runtime
