#include "runtime/pipeline.hpp"

#include "base/assertion.hpp"
#include "base/clock.hpp"
#include "refrain/future.hpp"
#include "refrain/region.hpp"
#include "regions/fold_order.hpp"
#include "regions/region_table.hpp"
#include "runtime/direct_launch.hpp"
#include "runtime/observed.hpp"
#include "runtime/operation_failure.hpp"
#include "runtime/point_task.hpp"
#include "runtime/token.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace refrain::runtime {
namespace {

constexpr std::size_t progress_samples_max = 4096;

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

void Pipeline::tell_begins(graph::OperationNumber number) {
    if (options_.observer != nullptr) options_.observer->issue_begins(number.value());
}

void Pipeline::tell_served(const Operation& operation, std::span<const analysis::Source> sources,
                           const trace::StreamPosition* where) {
    if (log_.says(LogLevel::debug)) tell_of(operation);
    if (options_.observer != nullptr) {
        options_.observer->served(observed(operation), sources, where,
                                  [&] { return token_of(operation, options_.token_bits); });
        if (options_.observer->asks_dependences(operation.number.value())) [[unlikely]]
            tell_dependences(observed(operation), sources, operation.futures());
    }
    if (options_.record_graph) recorded_.add_operation(operation.point_count);
}

/// It is served by the memo; nothing is linked.
void Pipeline::tell_direct(const DirectLaunch& launch, const trace::OperationMemo& memo,
                           const PlaceInLoop& place) {
    observe::Observer& observer = *options_.observer;
    const observe::ObservedOperation operation = observed(launch);
    observer.served_in_loop(operation, memo.edges, place.position, place.loop);
    if (observer.asks_dependences(operation.number)) [[unlikely]]
        tell_dependences(operation, memo.edges, {});
    observer.linked(operation);
}

/// Only those on operations that are sampled, too.
void Pipeline::tell_dependences(const observe::ObservedOperation& operation,
                                std::span<const analysis::Source> sources,
                                std::span<regions::FutureState* const> futures) {
    observe::Observer& observer = *options_.observer;
    std::vector<observe::DependenceLog::Edge> edges;
    edges.reserve(sources.size() + futures.size());
    for (const analysis::Source& source : sources) {
        const std::uint64_t number = operation.number - source.distance;
        if (observer.knows_dependences(number))
            edges.push_back(
                logged(number, patterns_.get(source.pattern).edges(), source.carries_data));
    }
    for (const regions::FutureState* future : futures) {
        const std::uint64_t number = future->operation.value();
        const auto points = static_cast<std::uint32_t>(future->count);
        if (observer.knows_dependences(number))
            edges.push_back(
                logged(number, graph::EdgeSet::complete(points, operation.points), true));
    }
    observer.waits_for(operation, std::move(edges));
}

void Pipeline::tell_linked(const Operation& operation) {
    if (options_.observer != nullptr) options_.observer->linked(observed(operation));
    if (options_.time_phases) phases_.operation(tracer_.last_served(), operation.point_count);
}

/// A batch gives memory back as a whole: temporaries that take much are not to live together in one.
inline bool Pipeline::may_be_batched(const Operation& operation) const {
    constexpr std::size_t much_memory = std::size_t{64} << 10;
    if (operation.point_count != 1 || operation.is_fence) return false;
    if (options_.batching != Batching::tiny) return options_.batching == Batching::all;
    if (!workers_.is_tiny(operation) || workers_.lacks_searchers()) return false;
    for (const Argument& argument : operation.arguments())
        if (argument.storage->elements() == nullptr && argument.storage->bytes() > much_memory)
            return false;
    return true;
}

/// Its predecessors must fit the counts of a batch, and none may count as one for all its points.
inline bool Pipeline::join_batch(Operation& operation, std::span<const analysis::Source> sources) {
    constexpr std::size_t predecessors_max = graph::packed_in_degree_max / graph::points_per_bundle;
    if (!may_be_batched(operation) ||
        1 + sources.size() + operation.future_count > predecessors_max)
        return false;
    struct Unfinished {
        graph::Node* node;
        const analysis::Source* source;
    };
    std::array<Unfinished, predecessors_max> unfinished;
    Unfinished* end = unfinished.data();
    for (const analysis::Source& source : sources) {
        const graph::OperationNumber number = operation.number - source.distance;
        if (number < oldest_) continue;
        graph::Node* node = &ring_[number];
        if (node->point_count > graph::points_per_bundle) return false;
        *end++ = {node, &source};
    }
    for (const regions::FutureState* future : operation.futures())
        if (future->count > graph::points_per_bundle) return false;
    if (options_.record_graph) [[unlikely]] {
        for (const analysis::Source& source : sources)
            record(operation.number - source.distance, operation, source.pattern,
                   source.carries_data);
    }
    batch_linker_.join(operation);
    for (const Unfinished* from = unfinished.data(); from != end; ++from) {
        if (from->node->point_count == 1)
            batch_linker_.add_point(*from->node, from->source->carries_data);
        else
            batch_linker_.add(*from->node, patterns_.get(from->source->pattern),
                              from->source->carries_data);
    }
    return true;
}

/// On what it was not the analysis that found.
inline void Pipeline::add_control_dependences(Operation& operation) {
    if (operation.future_count != 0) depend_on_futures(operation);
    if (last_fence_ >= oldest_ || (options_.record_graph && last_fence_ != 0))
        depend_on_fence(operation);
    if (operation.is_fence) order_after_all(operation);
    if (taints_.any()) [[unlikely]]
        poison_tainted_points(operation);
}

void Pipeline::tie_in(Operation& operation, std::span<const analysis::Source> sources) {
    REFRAIN_ASSERT(!operation.is_kept || oldest_ == operation.number,
                   "a kept record is used outside of lanes while others are in flight");
    operation.was_in_lanes = false;
    workers_.begin_launch();
    const bool joined = join_batch(operation, sources);
    if (!joined) {
        if (batch_linker_.is_open()) publish_batch();
        prepare(operation);
        for (const analysis::Source& source : sources)
            depend(operation.number - source.distance, operation, source.pattern,
                   source.carries_data);
    }
    add_control_dependences(operation);
    if (!joined) {
        publish(operation);
    } else {
        ++batched_;
        if (batch_linker_.is_full()) publish_batch();
    }
    workers_.end_launch();
}

void Pipeline::prepare(Operation& operation) {
    const std::uint32_t bundles = graph::bundles_for(operation.point_count);
    graph::prepare_bundles(operation, operation.is_kept ? operation.kept_bundles()
                                                        : edges_.allocate_array<graph::Bundle>(
                                                              bundles, operation.number.value()));
}

void Pipeline::publish(Operation& operation) {
    linker_.publish(operation, [this](graph::ReadyPoints points) { workers_.ready(points); });
    if (runs_alone_) begin_at_once(operation);
    if (!runs_at_once_) workers_.launched(operation);
}

inline const graph::Batch& Pipeline::link_batch() {
    return batch_linker_.publish([this](graph::ReadyPoints points) { workers_.ready(points); });
}

void Pipeline::publish_batch() {
    const graph::Batch& batch = link_batch();
    if (runs_alone_) begin_at_once(batch);
    if (!runs_at_once_) workers_.launched(batch);
}

/// While the launching thread runs alone, short work runs at the end of the launch that publishes it,
/// unless longer work is pending: its records are still in the cache, and later launches find nothing to
/// wait for.
void Pipeline::begin_at_once(const graph::Node& node) {
    if (runs_at_once_ || node.number == oldest_)
        runs_at_once_ = is_short(*node.cost, node.point_count);
    if (!runs_at_once_) ++shared_when_alone_;
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

void Pipeline::close_batch() {
    const auto right = workers_.right_to_publish();
    if (batch_linker_.is_open()) publish_batch();
}

/// A worker publishes here, and leaves runs_at_once_ alone: the launching thread looks at that without the right to
/// publish. Batching::all is for tests, which count the members of batches: there, workers leave them alone.
graph::Workers::Held Pipeline::held_work() {
    if (options_.batching == Batching::all) return {};
    return {[](void* context) {
                auto& pipeline = *static_cast<Pipeline*>(context);
                if (pipeline.batch_linker_.is_open())
                    pipeline.workers_.launched(pipeline.link_batch());
            },
            this};
}

void Pipeline::flush() {
    const auto right = workers_.right_to_publish();
    if (batch_linker_.is_open()) publish_batch();
    workers_.flush();
}

void Pipeline::begin_trace(trace::TraceId trace, trace::Tracer::OnMismatch on_mismatch) {
    if (options_.observer != nullptr) options_.observer->begins_trace(trace);
    tracer_.begin(trace, next_issue_, on_mismatch);
}

void Pipeline::tell_of_mismatch() {
    constexpr std::uint64_t told_max = 10;
    mismatches_told_ = tracer_.counters().mismatches;
    if (mismatches_told_ <= told_max) log_.say(LogLevel::warning, tracer_.counters().last_mismatch);
    if (mismatches_told_ == told_max)
        log_.say(LogLevel::warning, "further traces that do not match are counted, not told of");
}

void Pipeline::tell_of(const Operation& operation) const {
    static constexpr const char* how[] = {"analysed", "recorded", "replayed"};
    log_.say(LogLevel::debug, "op" + std::to_string(operation.number.value()) + " " +
                                  operation.site.describe() + " " +
                                  how[static_cast<std::size_t>(tracer_.last_served())]);
}

/// How far the program is ahead changes with what else the machine does. That a record is needed
/// which was never needed before must not be found out in the middle of a loop that is replayed: what
/// a window of operations takes is known after a few, and looked at again ever more seldom.
void Pipeline::reserve_records(graph::OperationNumber number) {
    next_reserve_ = number + number.value();
    for (base::RecordArena* arena : {&records_, &edges_}) {
        const std::uint64_t of_a_window =
            arena->bytes_allocated() * options_.window / number.value();
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

void Pipeline::depend(graph::OperationNumber source, const Operation& target,
                      analysis::PatternId pattern, bool carries_data) {
    if (options_.record_graph) [[unlikely]]
        record(source, target, pattern, carries_data);
    if (source < oldest_) return;
    if (target.is_member())
        batch_linker_.add(ring_[source], patterns_.get(pattern), carries_data);
    else
        linker_.add(ring_[source], patterns_.get(pattern), carries_data);
}

void Pipeline::record(graph::OperationNumber source, const Operation& target,
                      analysis::PatternId pattern, bool carries_data) {
    recorded_.add({.source = source,
                   .target = target.number,
                   .pairs = patterns_.get(pattern).pairs(),
                   .carries_data = carries_data});
}

void Pipeline::depend_on_futures(Operation& operation) {
    for (const regions::FutureState* future : operation.futures()) {
        if (!future->retired || options_.record_graph)
            depend(future->operation, operation,
                   patterns_.complete(static_cast<std::uint32_t>(future->count),
                                      operation.point_count),
                   true);
        if (future->retired && future->failure != nullptr) {
            for (std::uint32_t point = 0; point < operation.point_count; ++point)
                poison_unpublished(operation, point, *future->failure);
        }
    }
}

void Pipeline::depend_on_fence(const Operation& operation) {
    depend(last_fence_, operation, patterns_.complete(1, operation.point_count), false);
}

void Pipeline::order_after_all(const Operation& fence) {
    graph::OperationNumber number = last_fence_ + 1;
    if (!options_.record_graph) number = std::max(number, oldest_);
    for (; number < fence.number; ++number) {
        const std::uint32_t points =
            number >= oldest_ ? ring_[number].point_count : recorded_.points_of(number);
        depend(number, fence, patterns_.complete(points, 1), false);
    }
    last_fence_ = fence.number;
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

void Pipeline::help_until(base::FunctionRef<bool()> done) {
    end_row();
    if (options_.time_phases) phases_.stop();  // waiting and running tasks is not launching
    tell_wait_begins();
    close_batch();
    // Retiring all the while, so that regions that have died give their memory to those to come.
    workers_.help_until([&] {
        if (lanes_open_)
            while (workers_.help_lanes()) {
            }
        retire_finished();  // no batch is open
        return done();
    });
    runs_at_once_ = false;
    tell_wait_ended();
}

void Pipeline::help_once() {
    bool asked = false;
    help_until([&] { return std::exchange(asked, true); });
}

void Pipeline::wait_for(graph::OperationNumber number) {
    help_until([&] { return is_finished(number); });
    retire();
}

void Pipeline::finish_all() {
    if (!finish_in_row()) help_until([&] { return oldest_ == next_issue_; });
}

void Pipeline::wait_for_all() {
    finish_all();
    failures_.add(run_context_.secondary_failures);
}

bool Pipeline::help_some_time(base::FunctionRef<bool()> done) {
    const std::uint64_t end = after_some_time();
    bool is_done = false;
    help_until([&] {
        is_done = done();
        return is_done || base::ticks() > end;
    });
    return is_done;
}

bool Pipeline::wait_some_time_for(graph::OperationNumber number) {
    return help_some_time([&] { return is_finished(number); });
}

bool Pipeline::wait_some_time_for_all() {
    return finish_in_row() || help_some_time([&] { return oldest_ == next_issue_; });
}

bool Pipeline::wait_some_time_for_room() {
    if (next_issue_ - oldest_ < options_.window) return true;
    retire();
    return next_issue_ - oldest_ < options_.window ||
           help_some_time([&] { return next_issue_ - oldest_ <= options_.window / 2; });
}

regions::Failure* Pipeline::failure_of(graph::OperationNumber number) const {
    return runtime::failure_of(ring_[number]);
}

template <class Add>
void Pipeline::for_each_table(Add&& add) const {
    add("footprints of launches", footprints_.bytes());
    add("edge patterns", patterns_.bytes());
    add("steps of walks", walk_table_.bytes());
    add("grids of cells, and chains in them", walk_.bytes());
    add("plans of launches in lanes", lane_plans_.bytes() + row_.bytes());
    if (const auto* states = analysis_.states()) add("states of regions", states->bytes());
}

std::size_t Pipeline::table_bytes() const {
    std::size_t sum = 0;
    for_each_table([&](const char*, std::size_t bytes) { sum += bytes; });
    return sum;
}

void Pipeline::add_tables(std::vector<page::MemoryHeld::Part>& tables) const {
    const auto add = [&](const char* name, std::size_t bytes) {
        if (bytes != 0) tables.push_back({name, bytes, 0});
    };
    for_each_table(add);
    add("history of accesses", history_.bytes());
    add("pending operations", records_.bytes_held() + edges_.bytes_held());
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

void Pipeline::add_progress_sample() {
    const trace::TraceCounters& counters = tracer_.counters();
    const double seconds = 1e-9 * base::ticks_to_ns(base::ticks() - born_);
    progress_.push_back({(next_issue_ - 1).value(), counters.replayed, seconds});
    if (progress_.size() < progress_samples_max) return;
    for (std::size_t i = 0; 2 * i + 1 < progress_.size(); ++i) progress_[i] = progress_[2 * i + 1];
    progress_.resize(progress_.size() / 2);
    progress_interval_ *= 2;
}

void Pipeline::tell_progress_line() {
    options_.progress_line->note({.launched = (next_issue_ - 1).value(),
                                  .replayed = tracer_.counters().replayed,
                                  .finished = (oldest_ - 1).value()});
}

void Pipeline::add_to(Statistics& statistics) const {
    statistics.launches.operations = (next_issue_ - 1).value() - refused_;
    statistics.launches.tasks = tasks_;
    statistics.launches.window_waits = window_waits_;
    statistics.launches.memory_waits = memory_waits_;
    statistics.launches.batches = batch_linker_.opened();
    statistics.launches.batched_tasks = batched_;
    statistics.launches.in_lanes = workers_.lanes().published();
    statistics.launches.in_rows = in_rows_;
    statistics.launches.direct = direct_;
    statistics.analysis = {.hops = walk_.hops(),
                           .divided_regions = walk_.splits(),
                           .footprints = footprints_.size(),
                           .patterns = patterns_.size(),
                           .walk_steps = walk_table_.entries()};
    if (const auto* states = analysis_.states()) {
        const states::RegionStates::Counters& known = states->counters();
        statistics.analysis.states = states->states();
        statistics.analysis.transitions = states->transitions();
        statistics.analysis.known_transitions = known.known;
        statistics.analysis.found_transitions = known.found;
        statistics.analysis.private_transitions = known.privately;
        statistics.analysis.divided_regions = known.divided;
    }
    const trace::TraceCounters& c = tracer_.counters();
    statistics.traces = {.analysed = c.analysed,
                         .recorded = c.recorded,
                         .replayed = c.replayed,
                         .walked_in_replay = c.walked_in_replay,
                         .replays = c.replays,
                         .recordings = c.recordings,
                         .mismatches = c.mismatches,
                         .last_mismatch = c.last_mismatch,
                         .verified = c.verified,
                         .verify_failures = c.verify_failures,
                         .evictions = tracer_.store().evictions(),
                         .traces = tracer_.store().traces(),
                         .variants = tracer_.store().variants(),
                         .bytes = tracer_.store().bytes()};
    for (unsigned worker = 0; worker < workers_.count(); ++worker) {
        const graph::WorkerCounters w = workers_.counters(worker);
        statistics.workers.push_back({.tasks = w.points,
                                      .skipped = w.skipped,
                                      .groups = w.groups,
                                      .steals = w.steals,
                                      .sleeps = w.sleeps,
                                      .background_jobs = w.background_jobs,
                                      .waits = w.waits});
    }
    phases_.add_to(statistics);
    statistics.progress = progress_;
}

}  // namespace refrain::runtime
