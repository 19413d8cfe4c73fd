#include "runtime/pipeline.hpp"

#include "base/assertion.hpp"
#include "base/clock.hpp"
#include "refrain/region.hpp"
#include "regions/region_table.hpp"
#include "runtime/observed.hpp"
#include "runtime/point_task.hpp"

#include <algorithm>
#include <thread>

namespace refrain::runtime {
namespace {

bool may_use_lanes(const Pipeline::Options& options) {
    const bool is_able = options.workers > 1 && options.workers <= graph::Lanes::lanes_max &&
                         base::has_asymmetric_fence() &&
                         options.window >= 2 * graph::Lanes::capacity;
    if (options.lanes != LaneUse::automatic) return is_able && options.lanes != LaneUse::none;
    return is_able && options.batching == Batching::tiny &&
           options.workers <= std::thread::hardware_concurrency();
}

}  // namespace

Pipeline::Pipeline(const Options& options, const Shared& shared)
    : options_(options),
      is_watched_(options.observer != nullptr || options.asks_each),
      limits_memory_(shared.regions.pool().limit_bytes() != SIZE_MAX),
      may_use_lanes_(!options.asks_each && may_use_lanes(options)),
      takes_all_(options.lanes == LaneUse::all || options.lanes == LaneUse::turns),
      may_alternate_(options.workers > 1 && options.batching == Batching::tiny &&
                     !options.asks_each && !limits_memory_ && !options.watches_reads &&
                     (options.lanes == LaneUse::automatic || options.lanes == LaneUse::turns)),
      runs_alone_(options.workers <= 1 && options.batching != Batching::all),
      may_be_direct_((runs_alone_ || may_alternate_) && !options.asks_each && !limits_memory_ &&
                     !options.watches_reads && options.lanes != LaneUse::none),
      may_use_rows_((may_use_lanes_ || may_be_direct_) && !limits_memory_ &&
                    options.tracing.verify_interval == 0),
      regions_(shared.regions),
      failures_(shared.failures),
      records_(shared.records),
      footprints_(shared.footprints),
      run_context_(shared.run_context),
      log_(shared.log),
      walk_table_(footprints_, patterns_),
      history_(options.window),
      walk_(history_, walk_table_, footprints_),
      tracer_(options.tracing, history_, walk_, patterns_, footprints_),
      analysis_({.window = options.window, .state_bytes = options.state_bytes},
                {.operations = ring_,
                 .footprints = footprints_,
                 .patterns = patterns_,
                 .history = history_,
                 .walk = walk_,
                 .tracer = tracer_}),
      linker_(edges_),
      batch_linker_(edges_),
      ring_(2 * std::size_t{options.window}),
      taints_(history_, footprints_, regions_),
      next_reserve_(graph::OperationNumber::at(2 * std::uint64_t{options.window})),
      lane_plans_(patterns_, options.workers, options.plan_bytes),
      workers_(options.workers, held_work(), 0, graph::Workers::Threads::own, fetch_points) {
    if (!workers_.may_hold() && options_.batching == Batching::tiny)
        options_.batching = Batching::none;  // nobody could publish a batch that stays open
    if (options.observer != nullptr) follow_task_logs();
    if (options.analysis == Analysis::states) analysis_.begin_with_states();
    if (options.observer != nullptr)
        options.observer->follow(analysis_.states(), [](const analysis::RegionHistory& region) {
            return name_of(static_cast<const regions::RegionRoot&>(region));
        });
    progress_.reserve(progress_samples_max);  // so that a replayed launch never allocates
}

void Pipeline::issue(graph::OperationNumber number, const trace::StreamPosition* where) {
    REFRAIN_ASSERT(number == next_issue_, "operations are issued out of order");
    end_row();
    row_.interrupt(number + 1);  // this one has no place there
    Operation& operation = ring_[number];
    if (lanes_open_) [[unlikely]]
        close_lanes();
    lane_policy_.interrupted();
    if (number % retire_interval == 0 || number - oldest_ >= options_.window) make_room(number);
    if (limits_memory_) [[unlikely]]
        reserve_memory(operation);
    if (is_watched_) [[unlikely]]
        tell_begins(number);
    std::span<const analysis::Source> sources;
    try {
        if (analysis_.is_learning()) [[unlikely]]
            analysis_.learn_pending(pending());
        sources = where != nullptr ? tracer_.dependences(number, signature_of(operation), *where)
                                   : tracer_.dependences(number, signature_of(operation));
    } catch (...) {
        give_up(operation);
        throw;
    }
    if (tracer_.counters().mismatches != mismatches_told_) [[unlikely]]
        tell_of_mismatch();
    if (is_watched_) [[unlikely]]
        tell_served(operation, sources, where);
    ++next_issue_;
    tie_in(operation, sources);
    if (is_watched_) [[unlikely]]
        tell_linked(operation);
    tasks_ += operation.point_count;
    sample_progress(number);
    run_at_once();
}

void Pipeline::issue_in_loop(Operation& operation, LaunchRecords* records, const PlaceInLoop& place,
                             trace::Context& context) {
    const graph::OperationNumber number = operation.number;
    REFRAIN_ASSERT(number == next_issue_, "operations are issued out of order");
    const trace::OperationMemo* memo = tracer_.memo_in_loop(place.position);
    const bool told = is_told(number);
    if (memo == nullptr || told) [[unlikely]] {
        const trace::StreamPosition where{place.position, place.position, context, true,
                                          place.loop};
        if (memo == nullptr) return issue(number, &where);
        return serve_watched_in_loop(operation, *memo, where, records);
    }
    serve_in_loop<false>(operation, *memo, nullptr, records, place.loop);
}

void Pipeline::serve_watched_in_loop(Operation& operation, const trace::OperationMemo& memo,
                                     const trace::StreamPosition& where, LaunchRecords* records) {
    serve_in_loop<true>(operation, memo, &where, records, where.loop);
}

template <bool is_watched>
inline void Pipeline::serve_in_loop(Operation& operation, const trace::OperationMemo& memo,
                                    const trace::StreamPosition* where, LaunchRecords* records,
                                    std::uint64_t loop) {
    const graph::OperationNumber number = operation.number;
    if (number % retire_interval == 0 || number - oldest_ >= options_.window) make_room(number);
    if (limits_memory_) [[unlikely]]
        reserve_memory(operation);
    if constexpr (is_watched) tell_begins(number);
    const auto sources = tracer_.serve(number, operation.shapes(), operation.regions(), memo);
    if constexpr (is_watched) tell_served(operation, sources, where);
    // After serving: if a memo is verified and found wrong, there may be more sources than it has.
    const bool in_lanes =
        may_use_lanes_ && !runs_alone_ && goes_into_lanes(operation, sources, loop);
    ++next_issue_;
    if (in_lanes) {
        const graph::LanePlan& plan = tie_into_lanes(operation, sources);
        if (may_use_rows_) count_for_row(operation, records, &plan, memo, loop);
    } else {
        if (may_use_rows_) count_for_row(operation, records, nullptr, memo, loop);
        tie_in(operation, sources);
    }
    if constexpr (is_watched) tell_linked(operation);
    tasks_ += operation.point_count;
    sample_progress(number);
    run_at_once();
}

/// Ends an issue: it may retire the operation.
inline void Pipeline::run_at_once() {
    if (!runs_at_once_) [[likely]]
        return;
    runs_at_once_ = false;
    if (options_.asks_each || takes_all_) [[unlikely]]
        return help_until([&] { return oldest_ == next_issue_; });  // published work, too
    close_batch();  // its edges lead from what retires here
    runs_at_once_ = false;
    {
        const auto right = workers_.right_to_publish();
        const observe::TaskLog::InLaunch in_launch(log_of_launch());
        workers_.run_unpublished();
    }
    retire_finished();
}

void Pipeline::run_alone(bool alone) {
    if (alone == runs_alone_) return;
    interrupt_row();  // rows are of direct launches, or in lanes
    if (alone) {
        if (lanes_open_) close_lanes();
        help_until([&] { return oldest_ == next_issue_; });
    }
    runs_alone_ = alone;
    runs_at_once_ = false;  // if retire() has set it for a batch, a worker that searches takes that
}

void Pipeline::begin_trace(trace::TraceId trace, trace::Tracer::OnMismatch on_mismatch) {
    if (options_.observer != nullptr) options_.observer->begins_trace(trace);
    tracer_.begin(trace, next_issue_, on_mismatch);
}

/// How far the program is ahead changes with what else the machine does. That a record is needed
/// which was never needed before must not be found out in the middle of a loop that is replayed: what
/// a window of operations takes is known after a few, and looked at again ever more seldom. Direct launches, and those that
/// use kept records, took nothing; those to come may.
void Pipeline::reserve_records(graph::OperationNumber number) {
    next_reserve_ = number + number.value();
    const std::uint64_t with_records =
        std::max<std::uint64_t>((number - 1).value() - direct_ - kept_, 1);
    for (base::RecordArena* arena : {&records_, &edges_}) {
        const std::uint64_t of_a_window = arena->bytes_allocated() * options_.window / with_records;
        arena->reserve(of_a_window + 2 * base::RecordArena::chunk_bytes_default);
    }
}

void Pipeline::make_room(graph::OperationNumber number) {
    close_batch();  // what it waits for must not retire before
    retire_finished();
    if (number >= next_reserve_) [[unlikely]]
        reserve_records(number);
    if (number - oldest_ < options_.window) return;
    ++window_waits_;
    // With one worker nobody else runs what is left meanwhile.
    const std::uint64_t left = workers_.count() == 1 ? 0 : options_.window / 2;
    help_until([&] { return number - oldest_ <= left; });
}

void Pipeline::give_up(Operation& operation) {
    history_.append(operation.number, {}, {}, footprints_);
    close_batch();
    prepare(operation);
    operation.bundles[0].finished.store(1, std::memory_order_relaxed);  // never published
    if (options_.record_graph) recorded_.add_operation(0);
    ++next_issue_;
    ++refused_;
}

void Pipeline::reset_tables() {
    REFRAIN_ASSERT(oldest_ == next_issue_, "tables are reset while operations are in flight");
    if (lanes_open_) close_lanes();
    lane_plans_.clear();  // they know patterns by their numbers
    row_.clear(next_issue_);
    tracer_.clear();
    regions_.reset_histories();
    history_.forget_before(next_issue_);
    walk_table_.clear();
    patterns_.clear();
    footprints_.clear();
    walk_.forget_grids();
    analysis_.clear(next_issue_);
}

}  // namespace refrain::runtime
