#include "autotrace/c_boundary.hpp"
#include "refrain/autotrace.h"
#include "refrain/autotrace.hpp"

#include <utility>

namespace {

using namespace refrain::autotrace;
using refrain::autotrace::detail::guarded;
using refrain::autotrace::detail::guarded_create;
using refrain::autotrace::detail::write_message;

/// Whether a function of the host threw where nothing can be done about it. The calling thread only.
class HostFailure {
  public:
    template <class Action>
    void guard(const Action& action) noexcept {
        try {
            action();
        } catch (...) {
            happened_ = true;
        }
    }
    [[nodiscard]] bool take() noexcept { return std::exchange(happened_, false); }

  private:
    bool happened_ = false;
};

class CHost final : public TraceHost {
  public:
    CHost(const refrain_autotrace_host& host, HostFailure& failure)
        : host_(host), failure_(failure) {}
    void issue(OperationHandle operation) override { host_.issue(host_.context, operation); }
    void begin_trace(TraceId trace, std::size_t length) override {
        host_.begin_trace(host_.context, number_of(trace), length);
    }
    void end_trace(TraceId trace) override { host_.end_trace(host_.context, number_of(trace)); }
    void leave_trace(TraceId trace) override {
        if (host_.leave_trace != nullptr) host_.leave_trace(host_.context, number_of(trace));
    }
    /// Called while candidates are evicted, which must not stop half-way.
    void forget_trace(TraceId trace) override {
        if (host_.forget_trace == nullptr) return;
        failure_.guard([&] { host_.forget_trace(host_.context, number_of(trace)); });
    }

  private:
    refrain_autotrace_host host_;
    HostFailure& failure_;
};

class CExecutor final : public MiningExecutor {
  public:
    CExecutor(const refrain_autotrace_executor& executor, HostFailure& failure)
        : executor_(executor), failure_(failure) {}
    /// Somebody waits for the job.
    void submit(Job job) override {
        try {
            executor_.submit(executor_.context, job.run, job.context);
        } catch (...) {
            failure_.guard([] { throw; });
            job.run(job.context);
        }
    }
    void help() override {
        failure_.guard([&] { executor_.help(executor_.context); });
    }

  private:
    refrain_autotrace_executor executor_;
    HostFailure& failure_;
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
    to.hand_on_at_once = from.hand_on_at_once != 0;
    return to;
}

const char* missing_function(const refrain_autotrace_options* options,
                             const refrain_autotrace_host* host,
                             const refrain_autotrace_executor* executor) {
    if (host == nullptr) return "argument 'host' is null; pass the functions of the host";
    if (host->issue == nullptr || host->begin_trace == nullptr || host->end_trace == nullptr) {
        return "argument 'host' lacks issue, begin_trace or end_trace; set all three";
    }
    if (options != nullptr && options->hand_on_at_once != 0 && host->leave_trace == nullptr) {
        return "argument 'host' lacks leave_trace, which option 'hand_on_at_once' calls; set it, "
               "or "
               "switch the option off";
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
        : host(host_functions, failure),
          executor(
              executor_functions != nullptr ? *executor_functions : refrain_autotrace_executor{},
              failure),
          tracer(options, host, executor_functions != nullptr ? &executor : nullptr) {}

    HostFailure failure;
    CHost host;
    CExecutor executor;
    AutoTracer tracer;
};

namespace {

/// Runs `action(tracer)` if there is a tracer, and returns its status.
template <class Action>
refrain_autotrace_status guarded_call(refrain_autotracer* tracer, const Action& action) {
    const refrain_autotrace_status status = guarded(tracer, [&] { action(tracer->tracer); });
    if (tracer == nullptr || !tracer->failure.take() || status != REFRAIN_AUTOTRACE_OK)
        return status;
    return REFRAIN_AUTOTRACE_HOST_FAILED;
}

/// The operation at which the host throws counts as issued; what is behind it is still held.
void issue_held(refrain_autotracer& tracer) noexcept {
    std::size_t held = tracer.tracer.held();
    for (std::size_t before = held + 1; held < before; held = tracer.tracer.held()) {
        before = held;
        tracer.failure.guard([&] { tracer.tracer.flush(); });
    }
}

}  // namespace

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
    options->hand_on_at_once = from.hand_on_at_once ? 1 : 0;
}

refrain_autotrace_status refrain_autotrace_create(const refrain_autotrace_options* options,
                                                  const refrain_autotrace_host* host,
                                                  const refrain_autotrace_executor* executor,
                                                  refrain_autotracer** tracer, char* message,
                                                  size_t message_bytes) {
    if (tracer == nullptr) return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    *tracer = nullptr;
    if (const char* missing = missing_function(options, host, executor); missing != nullptr) {
        write_message(missing, message, message_bytes);
        return REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    }
    return guarded_create("no memory for the tracer", message, message_bytes, [&] {
        const Options chosen = options != nullptr ? options_of(*options) : Options{};
        *tracer = new refrain_autotracer(chosen, *host, executor);
    });
}

void refrain_autotrace_destroy(refrain_autotracer* tracer) {
    if (tracer == nullptr) return;
    issue_held(*tracer);
    delete tracer;
}

refrain_autotrace_status refrain_autotrace_operation(refrain_autotracer* tracer,
                                                     refrain_autotrace_token token,
                                                     uint64_t operation) {
    return guarded_call(tracer, [&](AutoTracer& t) {
        t.operation({token.high, token.low}, operation);
    });
}

refrain_autotrace_status refrain_autotrace_untraceable(refrain_autotracer* tracer,
                                                       uint64_t operation) {
    return guarded_call(tracer, [&](AutoTracer& t) { t.untraceable(operation); });
}

refrain_autotrace_status refrain_autotrace_ignorable(refrain_autotracer* tracer,
                                                     uint64_t operation) {
    return guarded_call(tracer, [&](AutoTracer& t) { t.ignorable(operation); });
}

refrain_autotrace_status refrain_autotrace_flush(refrain_autotracer* tracer) {
    return guarded_call(tracer, [](AutoTracer& t) { t.flush(); });
}

refrain_autotrace_status refrain_autotrace_interrupt(refrain_autotracer* tracer) {
    return guarded_call(tracer, [](AutoTracer& t) { t.interrupt(); });
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
                       .history_bytes = from.history_bytes,
                       .traces_left = from.traces_left,
                       .results_taken = from.results_taken};
    });
}

}  // extern "C"
