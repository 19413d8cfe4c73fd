#pragma once

#include "analysis/dependence_walk.hpp"
#include "base/clock.hpp"
#include "base/function_ref.hpp"
#include "graph/alone_policy.hpp"
#include "graph/batch_linker.hpp"
#include "graph/lane_policy.hpp"
#include "graph/linker.hpp"
#include "graph/workers.hpp"
#include "observe/observer.hpp"
#include "observe/phases.hpp"
#include "observe/progress_line.hpp"
#include "refrain/options.hpp"
#include "refrain/statistics.hpp"
#include "regions/taint.hpp"
#include "runtime/alone_switch.hpp"
#include "runtime/analysis_switch.hpp"
#include "runtime/lane_plans.hpp"
#include "runtime/launch_key.hpp"
#include "runtime/launch_row.hpp"
#include "runtime/log.hpp"
#include "runtime/operation_ring.hpp"
#include "runtime/recorded_graph.hpp"
#include "trace/tracer.hpp"

#include <memory>
#include <vector>

namespace refrain::runtime {

class DirectLaunch;

/// From an operation to its retirement: finds what it waits for, hands it to the workers, and takes
/// it apart when it and all before it have finished.
///
///     issue(op) --signature--> Tracer --sources--> Linker --ready points--> Workers
///                                                                              |
///     retire() <------------------ finished flags of the oldest operations <---+
///
/// Invariants: operations are issued in the order of their numbers; at most `window` are issued and
///             not retired.
/// Threads:    the launching thread only.
class Pipeline final : public AloneSwitch::Host {
  public:
    struct Options {
        unsigned workers;
        std::uint32_t window;  // a power of two
        Batching batching;
        LaneUse lanes;
        Analysis analysis;        // by walks or by states
        std::size_t state_bytes;  // of the tables of states, before they are forgotten
        std::size_t plan_bytes;   // of plans of launches in lanes, likewise
        bool watches_reads;       // RunContext::run looks at what tasks read
        trace::Tracer::Options tracing;
        bool record_graph;
        bool time_phases;
        bool asks_each;                        // of each operation there is something to be told
        unsigned token_bits;                   // for the observer
        observe::Observer* observer;           // null if nobody listens
        observe::ProgressLine* progress_line;  // null if nobody asks for one
    };
    /// What the pipeline shares with other stages. All of it outlives the pipeline.
    struct Shared {
        regions::RegionTable& regions;
        regions::FailureLog& failures;
        base::RecordArena& records;  // memory of operations, released when they retire
        analysis::FootprintTable& footprints;
        RunContext& run_context;
        const Log& log;
    };
    /// Whether each operation is to be told, so that none may run without a record. Of a report or a timeline it is
    /// enough to be told of samples, while loops go on.
    [[nodiscard]] static bool asks_each(const ObserveOptions& options) {
        return options.record_graph || options.time_phases ||
               Log(options.log).says(LogLevel::debug);
    }
    Pipeline(const Options& options, const Shared& shared);

    /// For questions only: what was served how, and what is kept.
    [[nodiscard]] const trace::Tracer& tracer() const { return tracer_; }

    /// Takes over an operation that was launched and may be issued later.
    /// Errors: std::bad_alloc; what the operation owns is then destroyed.
    void launched(Operation& operation) { ring_.push(operation, oldest_); }
    /// A call has thrown std::bad_alloc and left a launch half made. The tasks that are running end,
    /// as do those that they make ready; what else was launched, with numbers below `end`, never
    /// runs, and what it owns is destroyed. Then only questions are asked.
    void abandon(graph::OperationNumber end) noexcept;
    /// Operation number next_issue(), and where it stands in the stream if a recogniser has looked at
    /// it.
    /// Errors: TraceMismatch; then the operation has retired without running.
    void issue(graph::OperationNumber number, const trace::StreamPosition* where = nullptr);
    /// The same of one that stands at `position`, where a folded loop goes round.
    struct PlaceInLoop {
        trace::Position position;
        std::uint64_t loop;  // its length
    };
    /// An operation may be quiet (observe/quiet_loop.hpp) there only. `records`: where it has its record from if that
    /// is kept.
    void issue_in_loop(Operation& operation, LaunchRecords* records, const PlaceInLoop& place,
                       trace::Context& context);
    /// Whether the next launch may be one of a row (launch_row.hpp).
    [[nodiscard]] bool is_in_row() const { return row_.is_open(); }
    /// The record that it uses then; null if the row ends before it. All operations have been issued.
    [[nodiscard]] Operation* next_in_row();
    /// Whether the records of that launch of the loop are where the row takes the next one from.
    [[nodiscard]] bool is_next_in_row(const LaunchRecords* records) const {
        return row_.next_record().records == records;
    }
    /// Operation number next_issue(), which uses that record and repeats the launch that used it before.
    void issue_in_row();
    /// Whether rows are of direct launches.
    [[nodiscard]] bool has_direct_rows() const { return runs_alone_ && may_be_direct_; }
    /// In such a row: whether the next launch is one of `expected` with these regions.
    [[nodiscard]] bool is_next_in_direct_row(const CheckedLaunch& expected,
                                             const RequirementDescription* requirements) const {
        return row_.next().memo != nullptr && row_.next().shapes == expected.shapes &&
               row_.has_next(requirements);
    }
    /// Before anything that is not a launch of the row: what was not written is written now. Errors:
    /// std::bad_alloc.
    void end_row() {
        if (row_.is_open()) [[unlikely]]
            note_late();
    }
    /// The same, and no later row relies on what was before (LaunchRow, R1).
    void interrupt_row() {
        end_row();
        row_.interrupt(next_issue_);
    }
    /// Whether launches of loops are counted for rows.
    [[nodiscard]] bool may_use_rows() const { return may_use_rows_; }
    /// The host has opened a view of a region.
    void view_begins() { row_.note_view(next_issue_); }
    /// Whether a launch of so many points may be direct (direct_launch.hpp), if a memo serves it.
    [[nodiscard]] bool may_be_direct(const graph::TaskCost& cost, std::uint32_t points) {
        return has_direct_rows() && may_be_direct_now(cost, points);
    }
    /// The same where rows are of direct launches.
    [[nodiscard]] bool may_be_direct_now(const graph::TaskCost& cost, std::uint32_t points) {
        if (!is_short(cost, points)) return false;
        if (oldest_ != next_issue_) [[unlikely]] {
            if (!may_alternate_) return false;
            finish_all();
        }
        return !taints_.any();
    }
    // AloneSwitch::Host:
    [[nodiscard]] bool may_alternate() const override { return may_alternate_; }
    [[nodiscard]] bool measures_alone() const override {
        return options_.lanes == LaneUse::automatic;
    }
    [[nodiscard]] std::uint64_t launches_to_try(std::uint64_t launch_ticks) override {
        return graph::AlonePolicy::launches_to_try(launch_ticks, options_.window,
                                                   workers_.steal_cost().limits());
    }
    [[nodiscard]] bool runs_alone() const override { return runs_alone_; }
    void run_alone(bool alone) override;
    [[nodiscard]] std::uint64_t shared_when_alone() const override { return shared_when_alone_; }
    void finish_all() override;
    [[nodiscard]] std::uint64_t ticks() const override { return base::ticks(); }
    /// Operation number next_issue(), of which there is no record, is served by the memo of its place in the
    /// loop. Errors: std::bad_alloc.
    template <bool is_told>
    void serve_direct(DirectLaunch& launch, const trace::OperationMemo& memo,
                      const PlaceInLoop& place);
    /// The same of the next launch of a row.
    template <bool is_told>
    void serve_direct_in_row(const DirectLaunch& launch, const PlaceInLoop& place);
    /// Runs its points. False if some failed: then it retires by retire_failed_direct, before anything else.
    [[nodiscard]] bool run_direct(DirectLaunch& launch, graph::TaskCost& cost);
    /// `operation`: newly made of the launch, without its closure. Errors: std::bad_alloc.
    void retire_failed_direct(Operation& operation, DirectLaunch& launch);
    /// What its dependences can depend on.
    [[nodiscard]] static trace::OperationSignature signature_of(const Operation& operation) {
        return {operation.task, &operation.site, operation.point_count, operation.shapes(),
                operation.regions()};
    }
    /// From the next operation on. No trace is active.
    void begin_trace(trace::TraceId trace, trace::Tracer::OnMismatch on_mismatch);
    /// Whether a trace is recorded or replayed.
    [[nodiscard]] bool is_in_trace() const { return tracer_.active(); }
    /// Before the next operation. A trace is active.
    /// Errors: TraceMismatch if the trace was to be replayed and is shorter than recorded.
    void end_trace() { tracer_.end(next_issue_); }
    /// The active trace is left, and that is no mismatch.
    void abandon_trace() { tracer_.abandon(); }
    /// Frees a trace's templates.
    void forget_trace(trace::TraceId trace) { tracer_.forget(trace, next_issue_); }
    /// Positions of the recogniser that repeat earlier ones (Tracer::repeat).
    void repeat(const trace::Turn& turn) { tracer_.repeat(turn); }

    /// Runs a job of low priority on some worker.
    void run_in_background(graph::BackgroundJobs::Job job) { workers_.submit(job); }
    /// Runs the oldest background job here; false if none waits.
    bool run_background_job() { return workers_.run_background_job(); }

    [[nodiscard]] graph::OperationNumber next_issue() const { return next_issue_; }
    /// All operations below have retired.
    [[nodiscard]] graph::OperationNumber frontier() const { return oldest_; }
    /// Retires what has finished, and gives back the memory of dead regions that nothing uses any
    /// more.
    void retire();

    /// Around a fork().
    void stop_threads() { workers_.stop_threads(); }
    void start_threads() noexcept { workers_.start_threads(); }
    [[nodiscard]] std::span<std::thread> threads() { return workers_.threads(); }

    /// Whether lanes are open. The next launch may still close them.
    [[nodiscard]] bool is_in_lanes() const { return lanes_open_; }
    /// Operations in lanes that have run say so.
    void settle_lanes() {
        end_row();
        settle();
    }
    /// Runs tasks until `done()`, which is asked after each.
    void help_until(base::FunctionRef<bool()> done);
    /// The same, but for 50 ms; returns whether `done()` has become true.
    [[nodiscard]] bool help_some_time(base::FunctionRef<bool()> done);
    /// Runs tasks until operation `number`, which has been issued, has finished.
    void wait_for(graph::OperationNumber number);
    void wait_for_all();
    /// Until the memory of regions is within the limit, or nothing that died before operation `number` was
    /// launched has any. All operations with lower numbers have been issued.
    void wait_for_memory(graph::OperationNumber number);
    /// Until regions that have died hold at most `bytes`, or only operations that have not been issued use those
    /// that still hold memory.
    void wait_for_dead_regions(std::size_t bytes);
    /// Runs a task if one is ready.
    void help_once();
    /// Hands everything issued to the workers, now.
    void flush();
    /// Runs tasks for some time, until operation `number`, which has been issued, has finished; false
    /// if it has not.
    [[nodiscard]] bool wait_some_time_for(graph::OperationNumber number);
    /// The same of all issued operations, and until the next operation need not wait.
    [[nodiscard]] bool wait_some_time_for_all();
    [[nodiscard]] bool wait_some_time_for_room();
    /// Whether an issued operation has run, and what it failed of.
    [[nodiscard]] bool is_finished(graph::OperationNumber number) const {
        return number < oldest_ || ring_[number].has_run();
    }
    [[nodiscard]] regions::Failure* failure_of(graph::OperationNumber number) const;
    /// One that was launched and has not retired.
    [[nodiscard]] const Operation& operation(graph::OperationNumber number) const {
        return ring_[number];
    }

    /// Memory of the analysis' tables, except the builder's.
    [[nodiscard]] std::size_t table_bytes() const;
    /// The same, table by table; the history of accesses; what pending operations take.
    void add_tables(std::vector<page::MemoryHeld::Part>& tables) const;
    /// From now on, tasks are timed in other logs.
    void follow_task_logs() {
        run_context_.task_logs.store(options_.observer->task_logs(), std::memory_order_release);
    }
    /// Forgets everything the analysis has learned. Nothing is in flight and no trace is active.
    void reset_tables();
    [[nodiscard]] bool is_analysed_by_states() const { return analysis_.is_by_states(); }
    /// From now on there are no states. The tables were reset since the last operation.
    void analyse_by_walks() { analysis_.end_states(); }
    /// Operations are analysed by states as soon as these have learned what is pending, some of it at
    /// each operation; until then by walks. No trace is active, and no operation has a stream position
    /// until end_dormancy().
    void begin_dormancy() { analysis_.begin_dormancy(); }
    /// By walks again, from the next operation on. Nobody waits.
    void end_dormancy() { analysis_.end_dormancy(pending()); }
    /// What the host must wait for before it uses a region.
    [[nodiscard]] std::span<const analysis::Source> sources_of_host(
        const analysis::RequirementShape& shape, analysis::RegionHistory& region) {
        end_row();
        return analysis_.sources_of_host(next_issue_, shape, region);
    }
    [[nodiscard]] const graph::EdgePattern& pattern(analysis::PatternId id) const {
        return patterns_.get(id);
    }

    void add_to(Statistics& statistics) const;
    [[nodiscard]] std::vector<Dependence> dependences() const { return recorded_.dependences(); }

  private:
    static constexpr std::uint64_t retire_interval =
        32;  // operations between two looks at what has finished
    static constexpr std::size_t progress_samples_max = 4096;
    static constexpr std::uint64_t lanes_ahead_max =
        graph::Lanes::reach - 1;  // launches that are published and not settled

    [[nodiscard]] AnalysisSwitch::Pending pending() const { return {oldest_, next_issue_}; }
    [[gnu::noinline]] void serve_watched_in_loop(Operation& operation,
                                                 const trace::OperationMemo& memo,
                                                 const trace::StreamPosition& where,
                                                 LaunchRecords* records);
    template <bool is_watched>
    void serve_in_loop(Operation& operation, const trace::OperationMemo& memo,
                       const trace::StreamPosition* where, LaunchRecords* records,
                       std::uint64_t loop);
    /// Whether operation `number`, the expected one of its loop, is told.
    [[nodiscard]] bool is_told(graph::OperationNumber number) const {
        return is_watched_ &&
               (options_.observer == nullptr || !options_.observer->only_counts(number.value()));
    }
    // Of each operation that is told:
    [[gnu::noinline]] void tell_begins(graph::OperationNumber number);
    [[gnu::noinline]] void tell_served(const Operation& operation,
                                       std::span<const analysis::Source> sources,
                                       const trace::StreamPosition* where);
    [[gnu::noinline]] void tell_linked(const Operation& operation);
    /// All of these of a direct launch, of which there is no operation.
    [[gnu::noinline]] void tell_direct(const DirectLaunch& launch, const trace::OperationMemo& memo,
                                       const PlaceInLoop& place);
    void tell_dependences(const observe::ObservedOperation& operation,
                          std::span<const analysis::Source> sources,
                          std::span<regions::FutureState* const> futures);
    /// That of tasks which run inside of the launch, if it is timed; else null.
    [[nodiscard]] observe::TaskLog* log_of_launch() const {
        return options_.observer == nullptr ? nullptr : options_.observer->log_of_launch();
    }
    /// Around what the launching thread does in a wait.
    void tell_wait_begins() {
        if (options_.observer != nullptr) options_.observer->help_begins();
    }
    void tell_wait_ended() {
        if (options_.observer != nullptr) options_.observer->help_ended(next_issue_.value());
    }
    /// Calls add(name, bytes) for each table of the analysis, except the builder's.
    template <class Add>
    void for_each_table(Add&& add) const;
    /// So much as to let the program run ahead as far as it may, at any later time.
    void reserve_records(graph::OperationNumber number);
    void tell_of_mismatch();
    void tell_of(const Operation& operation) const;
    void make_room(graph::OperationNumber number);
    /// Of an operation that is about to be issued.
    [[gnu::noinline]] void reserve_memory(const Operation& operation);
    [[nodiscard]] bool may_be_batched(const Operation& operation) const;
    /// Makes the operation a member of a batch, if all it waits for allows that.
    [[nodiscard]] bool join_batch(Operation& operation, std::span<const analysis::Source> sources);
    void tie_in(Operation& operation, std::span<const analysis::Source> sources);
    /// Whether the next operation, of a loop of that length, goes into lanes (graph/lanes.hpp); opens or closes
    /// them if need be.
    [[nodiscard]] bool goes_into_lanes(const Operation& operation,
                                       std::span<const analysis::Source> sources,
                                       std::uint64_t loop);
    [[nodiscard]] bool suits_lanes(const Operation& operation,
                                   std::span<const analysis::Source> sources, std::uint64_t loop);
    const graph::LanePlan& tie_into_lanes(Operation& operation,
                                          std::span<const analysis::Source> sources);
    void close_lanes();
    [[nodiscard]] bool wait_for_lanes(std::uint64_t ahead, std::uint64_t ticks);
    void settle() {
        if (lanes_open_) workers_.lanes().settle();
    }
    /// The operation was served by the memo of its loop: a row may begin. `plan`: null if it is not in lanes.
    void count_for_row(Operation& operation, LaunchRecords* records, const graph::LanePlan* plan,
                       const trace::OperationMemo& memo, std::uint64_t loop);
    /// Operation `number` of the loop, with these regions, has been issued: a row may begin after it.
    void pass_for_row(const LaunchRow::Place& place, const LaunchRow::Record& record,
                      graph::OperationNumber number,
                      std::span<analysis::RegionHistory* const> regions, std::uint64_t loop);
    void issue_direct(const DirectLaunch& launch);
    /// In a row: number in lanes of its first launch.
    [[nodiscard]] std::uint64_t row_first_in_lanes() const {
        return workers_.lanes().published() + 1 - (next_issue_ - row_.first());
    }
    void retire_in_row();
    [[nodiscard]] bool finish_in_row();
    /// When help_some_time ends that begins now.
    [[nodiscard]] static std::uint64_t after_some_time() {
        return base::ticks() + base::ns_to_ticks(50'000'000);
    }
    [[gnu::noinline]] void note_late();
    void mark_unfinished_of_row() noexcept;
    /// Of the lane of the launching thread, some launches behind the newest.
    void run_own_lane() {
        const std::uint64_t published = workers_.lanes().published();
        if (published > graph::Lanes::lag) workers_.run_own_lane(published - graph::Lanes::lag);
    }
    /// From the record on: what its tasks read.
    [[nodiscard]] static std::uint32_t record_bytes_of(const Operation& operation) {
        const auto* const begin = reinterpret_cast<const std::byte*>(&operation);
        const auto* const end =
            reinterpret_cast<const std::byte*>(operation.first_argument + operation.argument_count);
        return static_cast<std::uint32_t>(end - begin);
    }
    void add_control_dependences(Operation& operation);
    void prepare(Operation& operation);
    void publish(Operation& operation);
    [[nodiscard]] const graph::Batch& link_batch();
    void publish_batch();
    /// Publishes the open batch, if there is one.
    void close_batch();
    [[nodiscard]] graph::Workers::Held held_work();
    /// Whether a launch is so short that it runs inside of the program's call while the launching thread runs alone.
    /// One worker: tiny launches. Several: those for which that may be faster (alone_policy.hpp). For tests all
    /// launches are, so that nothing depends on measured times.
    [[nodiscard]] bool is_short(const graph::TaskCost& cost, std::uint32_t points) const {
        if (takes_all_) return true;
        return may_alternate_ ? graph::AlonePolicy::is_short(cost.ticks() * points,
                                                             workers_.steal_cost().limits())
                              : workers_.is_tiny(cost, points);
    }
    void begin_at_once(const graph::Node& node);
    void run_at_once();

    void depend(graph::OperationNumber source, const Operation& target, analysis::PatternId pattern,
                bool carries_data);
    void record(graph::OperationNumber source, const Operation& target, analysis::PatternId pattern,
                bool carries_data);
    void depend_on_futures(Operation& operation);
    void depend_on_fence(const Operation& operation);
    void order_after_all(const Operation& fence);
    void give_up(Operation& operation);
    void retire_finished();
    /// Those below `end` that have finished, one after the other. In a row it is called, elsewhere inlined.
    void retire_finished_below(graph::OperationNumber end);
    void look_at_finished_below(graph::OperationNumber end);
    void retire(Operation& operation);
    void retire_failed(Operation& operation);
    void clean_up(Operation& operation);
    [[gnu::noinline]] void reclaim_regions();
    /// Once operation `number` has been issued, and counts as replayed if it was.
    void sample_progress(graph::OperationNumber number) {
        if ((number & (progress_interval_ - 1)) == 0) add_progress_sample();
    }
    void add_progress_sample();
    void tell_progress_line();

    Options options_;
    bool is_watched_;     // somebody wants to know of operations
    bool limits_memory_;  // of regions
    bool may_use_lanes_;  // several workers, and nobody asks for each operation
    bool lanes_open_ = false;
    graph::LanePolicy lane_policy_;
    graph::OperationNumber first_in_lanes_ = 0;
    bool takes_all_;      // whatever they take: in lanes, or direct
    bool may_alternate_;  // several workers, but the launching thread may run short launches alone
    bool runs_alone_;     // short launches run at once; not with Batching::all
    bool
        may_be_direct_;  // while it runs alone: nobody asks for each, waits for memory or looks at reads
    bool may_use_rows_;  // lanes or direct launches, none of which is verified or waits for memory
    bool runs_at_once_ = false;  // at the end of this launch
    regions::RegionTable& regions_;
    regions::FailureLog& failures_;
    base::RecordArena& records_;
    analysis::FootprintTable& footprints_;
    RunContext& run_context_;
    const Log& log_;
    base::RecordArena edges_{base::RecordArena::sharing_among(options_.workers)};
    analysis::PatternTable patterns_;
    analysis::WalkTable walk_table_;
    analysis::AccessHistory history_;
    analysis::DependenceWalk walk_;
    trace::Tracer tracer_;
    AnalysisSwitch analysis_;
    graph::Linker linker_;
    graph::BatchLinker batch_linker_;
    OperationRing ring_;
    regions::Taints taints_;
    observe::Phases phases_;

    std::uint64_t mismatches_told_ = 0;
    graph::OperationNumber oldest_ = 1;
    graph::OperationNumber next_issue_ = 1;
    graph::OperationNumber next_reserve_;  // the operation at which records are reserved
    graph::OperationNumber last_fence_ = 0;
    std::uint64_t refused_ = 0;  // by strict traces: numbered, but never launched
    std::uint64_t window_waits_ = 0;
    std::uint64_t memory_waits_ = 0;
    std::uint64_t tasks_ = 0;
    std::uint64_t batched_ = 0;
    LanePlans lane_plans_;
    LaunchRow row_{may_use_lanes_};
    std::uint64_t in_rows_ = 0;
    std::uint64_t direct_ = 0;
    std::uint64_t kept_ = 0;  // operations that used a kept record
    std::uint64_t shared_when_alone_ = 0;
    RecordedGraph recorded_;
    std::vector<ProgressSample> progress_;
    std::uint64_t born_ = base::ticks();
    std::uint64_t progress_interval_ = 64;  // a power of two

    graph::Workers workers_;  // last: its threads end before anything they use
};

}  // namespace refrain::runtime
