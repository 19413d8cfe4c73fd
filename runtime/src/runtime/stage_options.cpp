#include "runtime/stage_options.hpp"

#include "runtime/inline_host.hpp"

#include <optional>

namespace refrain::runtime {
namespace {

/// States cost less than walks (docs/region_states.md), but traces are made of what walks leave
/// behind. A graph that is recorded must not lack what a switch at the first mark forgets.
Analysis analysis_at_first(const Options& options) {
    if (options.analysis != Analysis::automatic) return options.analysis;
    const bool needs_walks = options.tracing.automatic || options.observe.record_graph;
    return needs_walks ? Analysis::walk : Analysis::states;
}

}  // namespace

data::StoragePoolOptions pool_options(const Options& options) {
    data::StoragePoolOptions pool;
    if (options.limits.region_bytes != 0) pool.limit_bytes = options.limits.region_bytes;
    return pool;
}

bool is_traced_by_itself(const Options& options) {
    return options.tracing.automatic && options.analysis != Analysis::states;
}

bool is_inline(const Options& options) {
    return is_traced_by_itself(options) && options.tracing.recogniser == Recogniser::inline_;
}

machine::BindingWish binding_wish(Binding bind) {
    switch (bind) {
        case Binding::none:
            return machine::BindingWish::none;
        case Binding::cores:
            return machine::BindingWish::cores;
        case Binding::automatic:
            break;
    }
    return machine::BindingWish::automatic;
}

observe::Observer::Options observer_options(const Options& options) {
    observe::Observer::Options o;
    o.log_stream = options.observe.log_stream;
    o.report = options.observe.report;
    o.timeline = options.observe.timeline;
    o.force = options.observe.force;
    o.explain = options.observe.explain;
    o.asks_each = Pipeline::asks_each(options.observe);
    o.workers = options.worker_count();
    o.limits.history = options.history_length();
    o.limits.window = options.window;
    o.limits.trace_min_length = options.tracing.min_length;
    o.limits.multi_scale_factor = options.tracing.mining.multi_scale_factor;
    o.limits.trace_bytes = options.limits.trace_bytes;
    o.limits.analysis_bytes = options.limits.analysis_bytes;
    return o;
}

Pipeline::Options pipeline_options(const Options& options, observe::Observer* observer,
                                   observe::ProgressLine* progress_line) {
    const auto window = static_cast<std::uint32_t>(options.window);
    return {
        .workers = options.worker_count(),
        .window = window,
        .batching = options.batching,
        .lanes = options.lanes,
        .analysis = analysis_at_first(options),
        .state_bytes = options.limits.analysis_bytes / 4 * 3,
        .plan_bytes = options.limits.analysis_bytes / 4,
        .watches_reads = options.checks.strict_reads,
        .tracing = {.limits = {options.limits.trace_bytes, options.limits.trace_variants, window},
                    .verify_interval = static_cast<std::uint32_t>(options.checks.verify),
                    .imitation = is_inline(options)
                                     ? std::optional(InlineHost::imitation_options(options))
                                     : std::nullopt},
        .record_graph = options.observe.record_graph,
        .time_phases = options.observe.time_phases,
        .asks_each =
            Pipeline::asks_each(options.observe) || (observer != nullptr && observer->asks_each()),
        .token_bits = options.checks.token_bits,
        .observer = observer,
        .progress_line = progress_line};
}

}  // namespace refrain::runtime
