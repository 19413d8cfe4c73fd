#include "autotrace/c_boundary.hpp"
#include "refrain/autotrace.h"
#include "refrain/autotrace.hpp"

namespace {

using namespace refrain::autotrace;
using refrain::autotrace::detail::guarded;
using refrain::autotrace::detail::guarded_create;
using refrain::autotrace::detail::write_message;

class CHost final : public TraceHost {
  public:
    explicit CHost(const refrain_autotrace_host& host) : host_(host) {}
    void issue(OperationHandle operation) override { host_.issue(host_.context, operation); }
    void begin_trace(TraceId trace, std::size_t length) override {
        host_.begin_trace(host_.context, trace, length);
    }
    void end_trace(TraceId trace) override { host_.end_trace(host_.context, trace); }
    void forget_trace(TraceId trace) override {
        if (host_.forget_trace != nullptr) host_.forget_trace(host_.context, trace);
    }

  private:
    refrain_autotrace_host host_;
};

class CExecutor final : public MiningExecutor {
  public:
    explicit CExecutor(const refrain_autotrace_executor& executor) : executor_(executor) {}
    void submit(Job job) override { executor_.submit(executor_.context, job.run, job.context); }
    void help() override { executor_.help(executor_.context); }

  private:
    refrain_autotrace_executor executor_;
};

Options options_of(const refrain_autotrace_options& from) {
    Options to;
    to.trace_length_min = from.trace_length_min;
    to.trace_length_max = from.trace_length_max;
    to.loop_length = from.loop_length;
    to.history_tokens = from.history_tokens;
    to.multi_scale_factor = from.multi_scale_factor;
    to.synchronous_mining = from.synchronous_mining != 0;
    if (from.result_delay_operations != REFRAIN_AUTOTRACE_DELAY_BY_SLICE) {
        to.result_delay_operations = from.result_delay_operations;
    }
    to.mine_every_slice = from.mine_every_slice != 0;
    to.history_bytes_max = from.history_bytes_max;
    to.candidate_bytes_max = from.candidate_bytes_max;
    to.visits_max = from.visits_max;
    to.visit_decay = from.visit_decay;
    to.replay_bonus = from.replay_bonus;
    to.back_to_back_max = from.back_to_back_max;
    return to;
}

const char* missing_function(const refrain_autotrace_host* host,
                             const refrain_autotrace_executor* executor) {
    if (host == nullptr) return "argument 'host' is null; pass the functions of the host";
    if (host->issue == nullptr || host->begin_trace == nullptr || host->end_trace == nullptr) {
        return "argument 'host' lacks issue, begin_trace or end_trace; set all three";
    }
    if (executor != nullptr && (executor->submit == nullptr || executor->help == nullptr)) {
        return "argument 'executor' lacks submit or help; set both, or pass null to mine "
               "synchronously";
    }
    return nullptr;
}

}  // namespace

struct refrain_autotracer {
    refrain_autotracer(const Options& options, const refrain_autotrace_host& host_functions,
                       const refrain_autotrace_executor* executor_functions)
        : host(host_functions),
          executor(executor_functions != nullptr ? *executor_functions
                                                 : refrain_autotrace_executor{}),
          tracer(options, host, executor_functions != nullptr ? &executor : nullptr) {}

    CHost host;
    CExecutor executor;
    AutoTracer tracer;
};

extern "C" {

void refrain_autotrace_default_options(refrain_autotrace_options* options) {
    if (options == nullptr) return;
    const Options from;
    options->trace_length_min = from.trace_length_min;
    options->trace_length_max = from.trace_length_max;
    options->loop_length = from.loop_length;
    options->history_tokens = from.history_tokens;
    options->multi_scale_factor = from.multi_scale_factor;
    options->synchronous_mining = from.synchronous_mining ? 1 : 0;
    options->result_delay_operations =
        from.result_delay_operations.value_or(REFRAIN_AUTOTRACE_DELAY_BY_SLICE);
    options->mine_every_slice = from.mine_every_slice ? 1 : 0;
    options->history_bytes_max = from.history_bytes_max;
    options->candidate_bytes_max = from.candidate_bytes_max;
    options->visits_max = from.visits_max;
    options->visit_decay = from.visit_decay;
    options->replay_bonus = from.replay_bonus;
    options->back_to_back_max = from.back_to_back_max;
}

refrain_autotrace_status refrain_autotrace_create(const refrain_autotrace_options* options,
                                                  const refrain_autotrace_host* host,
                                                  const refrain_autotrace_executor* executor,
                                                  refrain_autotracer** tracer, char* message,
                                                  size_t message_bytes) {
    if (tracer == nullptr) return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    *tracer = nullptr;
    if (const char* missing = missing_function(host, executor); missing != nullptr) {
        write_message(missing, message, message_bytes);
        return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    }
    return guarded_create("no memory for the tracer", message, message_bytes, [&] {
        const Options chosen = options != nullptr ? options_of(*options) : Options{};
        *tracer = new refrain_autotracer(chosen, *host, executor);
    });
}

void refrain_autotrace_destroy(refrain_autotracer* tracer) {
    delete tracer;
}

refrain_autotrace_status refrain_autotrace_operation(refrain_autotracer* tracer,
                                                     refrain_autotrace_token token,
                                                     uint64_t operation) {
    return guarded(tracer, [&] { tracer->tracer.operation({token.high, token.low}, operation); });
}

refrain_autotrace_status refrain_autotrace_untraceable(refrain_autotracer* tracer,
                                                       uint64_t operation) {
    return guarded(tracer, [&] { tracer->tracer.untraceable(operation); });
}

refrain_autotrace_status refrain_autotrace_ignorable(refrain_autotracer* tracer,
                                                     uint64_t operation) {
    return guarded(tracer, [&] { tracer->tracer.ignorable(operation); });
}

refrain_autotrace_status refrain_autotrace_flush(refrain_autotracer* tracer) {
    return guarded(tracer, [&] { tracer->tracer.flush(); });
}

int refrain_autotrace_holds(const refrain_autotracer* tracer, uint64_t operation) {
    return tracer != nullptr && tracer->tracer.holds(operation) ? 1 : 0;
}

size_t refrain_autotrace_held(const refrain_autotracer* tracer) {
    return tracer != nullptr ? tracer->tracer.held() : 0;
}

refrain_autotrace_status refrain_autotrace_get_statistics(
    const refrain_autotracer* tracer, refrain_autotrace_statistics* statistics) {
    if (statistics == nullptr) return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    return guarded(tracer, [&] {
        const Statistics& from = tracer->tracer.statistics();
        *statistics = {.operations = from.operations,
                       .traceable = from.traceable,
                       .untraceable = from.untraceable,
                       .ignorable = from.ignorable,
                       .recorded = from.recorded,
                       .replayed = from.replayed,
                       .traces = from.traces,
                       .replays = from.replays,
                       .flushes = from.flushes,
                       .first_replay = from.first_replay,
                       .held_back_sum = from.held_back_sum,
                       .slices_mined = from.slices_mined,
                       .slices_skipped = from.slices_skipped,
                       .tokens_mined = from.tokens_mined,
                       .candidates_taken = from.candidates_taken,
                       .candidates_evicted = from.candidates_evicted,
                       .candidates = from.candidates,
                       .candidate_bytes = from.candidate_bytes,
                       .candidate_bytes_max = from.candidate_bytes_max,
                       .history_bytes = from.history_bytes};
    });
}

}  // extern "C"
