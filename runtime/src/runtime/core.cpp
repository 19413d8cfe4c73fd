#include "runtime/core.hpp"

#include "refrain/error.hpp"
#include "refrain/future.hpp"
#include "refrain/region.hpp"
#include "runtime/direct_launch.hpp"
#include "runtime/launch_errors.hpp"
#include "runtime/observed.hpp"
#include "runtime/point_task.hpp"
#include "runtime/token.hpp"

#include <cstdio>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace refrain::runtime {
namespace {

constexpr std::size_t dead_bytes_max = std::size_t{1} << 20;  // that wait for the next retirement

data::StoragePoolOptions pool_options(const Options& options) {
    data::StoragePoolOptions pool;
    if (options.limits.region_bytes != 0) pool.limit_bytes = options.limits.region_bytes;
    return pool;
}

bool is_traced_by_itself(const Options& options) {
    return options.tracing.automatic && options.analysis != Analysis::states;
}

/// States cost less than walks (docs/region_states.md), but traces are made of what walks leave
/// behind. A graph that is recorded must not lack what a switch at the first mark forgets.
Analysis analysis_at_first(const Options& options) {
    if (options.analysis != Analysis::automatic) return options.analysis;
    const bool needs_walks = options.tracing.automatic || options.observe.record_graph;
    return needs_walks ? Analysis::walk : Analysis::states;
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

std::string trace_name(std::uint64_t id) {
    return "trace " + std::to_string(id);
}

}  // namespace

Core::Core(const Options& options)
    : options_(options.checked()),
      worker_count_(options_.worker_count()),
      launching_thread_(std::this_thread::get_id()),
      observer_(observe::Observer::make(observer_options(options_))),
      progress_line_(options_.observe.progress ? std::make_unique<observe::ProgressLine>()
                                               : nullptr),
      log_(options_.observe.log),
      pool_(pool_options(options_)),
      binding_(binding_wish(options_.bind), worker_count_),
      regions_(pool_, &next_operation_, options_.checks.strict_reads),
      pipeline_(pipeline_options(options_, observer_.get(), progress_line_.get()),
                {.regions = regions_,
                 .failures = failures_,
                 .records = records_,
                 .footprints = footprints_,
                 .run_context = run_context_,
                 .log = log_}),
      futures_(*this),
      builder_({.footprints = footprints_,
                .regions = regions_,
                .futures = futures_,
                .records = records_,
                .context = run_context_,
                .deterministic_reductions = options_.deterministic_reductions}) {
    ForkGuard::begin();
    bind_workers();
    run_context_.run = options_.checks.strict_reads ? &run_watched_points : &run_points;
    if (observer_ != nullptr) observer_->follow(pipeline_.tracer(), *this);
    if (is_inline(options_))
        inline_.emplace(options_, pipeline_, regions_, observer_.get());
    else if (is_traced_by_itself(options_))
        auto_.emplace(options_, pipeline_, log_, observer_.get());
    if (progress_line_ != nullptr) progress_line_->start();
}

Core::~Core() {
    ForkGuard::end();
    if (ended_in_ == nullptr) {
        try {
            finish();
        } catch (const std::bad_alloc&) {
            end_at("the end of the runtime");
            std::fprintf(stderr, "refrain: the end of the runtime: memory ran out\n");
        }
    }
    if (ended_in_ != nullptr) {
        if (auto_) auto_->abandon();
        pipeline_.abandon(next_operation_);
    }
    auto_.reset();
}

void Core::finish() {
    try {
        interrupt();
        if (pipeline_.is_in_trace()) pipeline_.end_trace();
    } catch (const Error& error) {
        std::fprintf(stderr, "refrain: %s\n", error.what());
    }
    pipeline_.wait_for_all();
    if (progress_line_ != nullptr) progress_line_->stop();
    report_unseen_failures();
    report_unchecked_reads();
    // A child would write over what the parent reports.
    if (observer_ != nullptr && !is_child_) observer_->ends(statistics());
    if (options_.observe.report_statistics && !is_child_)
        std::fputs(statistics().to_string().c_str(), stderr);
}

void Core::end_at(const char* call) noexcept {
    ended_in_ = call;
    launching_thread_ = {};  // so that check_thread, on the path of each launch, tests one thing
}

void Core::end_at(const LaunchSite& site) noexcept {
    ended_at_ = site;
    end_at("launch");
}

void Core::refuse_ended(const char* call) const {
    std::string where = ended_in_;
    if (ended_at_) where = "the launch of " + ended_at_->describe();
    throw Error(std::string(call) + ": memory ran out in " + where +
                ", which was not finished. The runtime ended there, and what its regions hold is "
                "undefined; destroy it, free memory and make a new one");
}

void Core::retire_dead() {
    guarded("create_region", [&] {
        if (regions_.dead_bytes() <= dead_bytes_max) return;
        pipeline_.retire();
        // A quarter of the memory: regions that live, and those of tasks that run, need some, too.
        if (regions_.dead_bytes() > memory_bytes_ / 4)
            pipeline_.wait_for_dead_regions(memory_bytes_ / 8);
    });
}

void Core::report_unseen_failures() noexcept {
    const std::uint64_t unseen = failures_.unreported();
    if (unseen == 0) return;
    const regions::Failure* first = failures_.take_unreported();
    log_.say(LogLevel::warning, "the runtime ends with " + std::to_string(unseen) +
                                    " failure(s) that the program never asked about. The first: " +
                                    first->error().what());
}

void Core::report_unchecked_reads() const {
    if (!options_.checks.strict_reads || next_operation_ == 1 ||
        run_context_.has_checked_reads.load(std::memory_order_relaxed))  // tasks have ended
        return;
    log_.say(LogLevel::warning,
             "strict-reads checked no task: none was built with REFRAIN_CHECK_BOUNDS, as debug "
             "builds are");
}

observe::MemoryMeter::Bytes Core::bytes_in_use() const {
    return {pool_.bytes_in_use(), table_bytes()};
}

page::MemoryHeld Core::held() const {
    page::MemoryHeld held;
    pipeline_.add_tables(held.tables);
    if (builder_.table_bytes() != 0)
        held.tables.push_back({"footprints of arguments", builder_.table_bytes(), 0});
    std::unordered_map<std::string_view, std::size_t> places;  // by name, which regions keep
    regions_.for_each_live([&](const regions::RegionRoot& region) {
        const auto [place, is_new] =
            places.try_emplace(region.given_name.view(), held.regions.size());
        if (is_new) held.regions.push_back({std::string(region.given_name.view()), 0, 0});
        page::MemoryHeld::Part& part = held.regions[place->second];
        if (region.storage->elements() != nullptr) part.bytes += region.storage->bytes();
        ++part.count;
    });
    return held;
}

void Core::check_thread(const char* what) const {
    if (graph::Workers::is_running_points())
        throw UsageError(std::string(what) +
                         " from inside a task: tasks do not launch or wait; return a value and "
                         "launch from the program");
    if (std::this_thread::get_id() != launching_thread_) {
        if (ended_in_ != nullptr) refuse_ended(what);
        throw UsageError(std::string(what) +
                         " from a thread that is not the launching one: launch and wait from that "
                         "one, or take over with use_from_this_thread() first");
    }
}

bool Core::prepare_for_fork() noexcept {
    if (graph::Workers::is_running_points() || std::this_thread::get_id() != launching_thread_)
        return false;
    try {
        interrupt();
        pipeline_.wait_for_all();
        pipeline_.retire();
    } catch (const std::bad_alloc&) {
        end_at("fork()");
        return false;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "refrain: before fork(): %s\n", error.what());
        return false;
    }
    pipeline_.stop_threads();
    if (progress_line_ != nullptr) progress_line_->stop();
    return true;
}

void Core::forked(bool is_child) noexcept {
    is_child_ = is_child_ || is_child;
    if (is_child) binding_.leave_to_parent();
    pipeline_.start_threads();
    bind_workers();
    if (progress_line_ != nullptr && !is_child_) progress_line_->start();
}

void Core::bind_workers() noexcept {
    unsigned worker = 0;
    for (std::thread& thread : pipeline_.threads()) binding_.bind(++worker, thread.native_handle());
}

void Core::use_from_this_thread() {
    if (graph::Workers::is_running_points())
        throw UsageError(
            "use_from_this_thread from inside a task: tasks do not launch; return a value and "
            "launch from the program");
    if (ended_in_ != nullptr) refuse_ended("use_from_this_thread");
    launching_thread_ = std::this_thread::get_id();
}

void Core::check_new_region(const data::Box& bounds, int rank, std::size_t element_bytes,
                            std::size_t element_align, std::string_view name) const {
    check_thread("create_region");
    const auto call = [&] { return "create_region '" + std::string(name) + "'"; };
    if (bounds.empty())
        throw UsageError(call() +
                         ": the bounds are empty; give every dimension an extent of at least 1");
    std::int64_t volume = 0;
    if (!data::volume_fits(bounds, volume)) data::checked_volume(bounds, rank, call(), "bounds");
    const auto bytes_max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (static_cast<std::uint64_t>(volume) > bytes_max / element_bytes)
        throw UsageError(call() + ": bounds is " + data::to_string(bounds, rank) + ", " +
                         std::to_string(volume) + " elements of " + std::to_string(element_bytes) +
                         " bytes exceed the address space of " + std::to_string(bytes_max) +
                         " bytes; make it smaller");
    if (element_align > data::StoragePool::alignment)
        throw UsageError(call() + ": elements are aligned to " + std::to_string(element_align) +
                         " bytes, regions to 64; use a type with a smaller alignment");
}

regions::RegionRoot* Core::create_region(const data::Box& bounds, int rank,
                                         std::size_t element_bytes, std::size_t element_align,
                                         std::string_view name) {
    check_new_region(bounds, rank, element_bytes, element_align, name);
    retire_dead();
    return regions_.create(bounds, rank, element_bytes, name);
}

regions::RegionRoot* Core::create_unspecified(const data::Box& bounds, int rank,
                                              std::size_t element_bytes, std::size_t element_align,
                                              std::string_view name) {
    check_new_region(bounds, rank, element_bytes, element_align, name);
    retire_dead();
    return regions_.create(bounds, rank, element_bytes, name,
                           regions::RegionTable::Content::unspecified);
}

regions::RegionRoot* Core::adopt_memory(const data::Box& bounds, int rank,
                                        std::size_t element_bytes, std::size_t element_align,
                                        void* memory, std::function<void()> done,
                                        std::string_view name) {
    check_new_region(bounds, rank, element_bytes, element_align, name);
    const auto call = [&] { return "adopt_memory '" + std::string(name) + "': "; };
    if (memory == nullptr) throw UsageError(call() + "the memory is null; pass its address");
    if (reinterpret_cast<std::uintptr_t>(memory) % element_align != 0)
        throw UsageError(call() + "the memory is not aligned to the " +
                         std::to_string(element_align) + " bytes of its elements; copy it");
    const std::size_t bytes = static_cast<std::size_t>(bounds.volume()) * element_bytes;
    if (regions_.owner_of(memory, bytes) != nullptr)  // perhaps of a region that has ended
        guarded("adopt_memory", [&] {
            interrupt();
            pipeline_.wait_for_all();
            pipeline_.retire();
        });
    if (const regions::RegionRoot* owner = regions_.owner_of(memory, bytes))
        throw UsageError(call() + "part of the memory belongs to " + name_of(*owner) +
                         " already; use that region, or one region for all of it");
    return regions_.adopt(bounds, rank, element_bytes, name, memory, std::move(done));
}

regions::FutureState* Core::make_future(const LaunchSite& site, const data::Box& domain, int rank,
                                        std::size_t value_bytes) {
    check_thread("launch");
    const std::uint32_t count = checked_points(site, domain, rank);
    ++futures_made_;
    return futures_.make(value_bytes, count);
}

void Core::launch(const LaunchDescription& launch) {
    guarded(launch.site, [&] {
        check_thread("launch");
        if (launch.kind->domain_rank != 0 && launch.domain->empty()) return;
        if (observer_ != nullptr) [[unlikely]]
            return launch_observed(launch);
        launch_checked<false>(launch);
    });
}

void Core::launch_observed(const LaunchDescription& launch) {
    // Only where a loop goes on: so there is no manual trace, and the recogniser is the one that looks at each launch.
    if (observer_->only_counts(next_operation_.value())) {
        if (launch_expected<false>(launch))
            return observer_->passed(
                launch.site, [&] { return static_cast<std::uint32_t>(launch.domain->volume()); });
    }
    observer_->launch_begins(next_operation_.value());
    const auto launching =
        observer_->launching(next_operation_.value(), &launch, [](const void* description) {
            return tile_of(*static_cast<const LaunchDescription*>(description));
        });
    launch_checked<true>(launch);
    observer_->launch_ended(launch.site);
}

// A hot path with two callers, launch and launch_observed: inlined into both.
template <bool is_told>
[[gnu::always_inline]] inline void Core::launch_checked(const LaunchDescription& launch) {
    if (inline_ && !manual_trace_) return launch_in_stream<is_told>(launch);
    hand_on(builder_.build(launch, next_operation_));
}

inline Operation& Core::build_expected(const LaunchDescription& launch,
                                       const CheckedLaunch& expected) {
    if (pipeline_.is_in_lanes())
        if (Operation* known =
                builder_.build_again(launch, expected, next_operation_, pipeline_.frontier()))
            return *known;
    Operation& built = builder_.build(launch, expected, next_operation_);
    if (pipeline_.may_use_rows() && expected.records != nullptr)
        expected.records->advance();  // LaunchRow, R5
    return built;
}

/// Of launch_in_row, where rows are of direct launches.
template <bool is_told>
inline bool Core::launch_directly_in_row(const LaunchDescription& launch) {
    const CheckedLaunch* const expected = inline_->expected_in_row(launch);
    graph::TaskCost* const cost =
        expected == nullptr ? nullptr : &builder_.cost_of(launch, expected->cost);
    if (cost == nullptr || !pipeline_.is_next_in_direct_row(*expected, launch.requirements) ||
        !pipeline_.may_be_direct_now(*cost, expected->points)) {
        pipeline_.end_row();
        return false;
    }
    DirectLaunch direct(launch, *expected, next_operation_);
    if constexpr (is_told) tell_launched(*observer_, direct);
    pipeline_.serve_direct_in_row<is_told>(direct, inline_->advance());
    ++next_operation_;
    if (!pipeline_.run_direct(direct, *cost)) [[unlikely]]
        retire_failed(direct);
    return true;
}

/// Whether the launch is one of the row (launch_row.hpp). If not, there is no row any more.
template <bool is_told>
inline bool Core::launch_in_row(const LaunchDescription& launch) {
    if (pipeline_.has_direct_rows()) return launch_directly_in_row<is_told>(launch);
    if constexpr (is_told) {
        pipeline_.end_row();  // its record must say that tasks are timed
        return false;
    }
    Operation* const record = pipeline_.next_in_row();
    if (record == nullptr) return false;
    const CheckedLaunch* const expected = inline_->expected_in_row(launch);
    if (expected == nullptr || !pipeline_.is_next_in_row(expected->records) ||
        !builder_.repeat(*record, launch, *expected, next_operation_)) {
        pipeline_.end_row();
        return false;
    }
    ++next_operation_;
    inline_->issue_in_row();
    return true;
}

/// Whether the launch has run, without an operation (direct_launch.hpp); if not, nothing has changed.
template <bool is_told>
inline bool Core::launch_directly(const LaunchDescription& launch, const CheckedLaunch& expected) {
    graph::TaskCost& cost = builder_.cost_of(launch, expected.cost);
    if (!pipeline_.may_be_direct(cost, expected.points)) return false;
    const trace::OperationMemo* const memo = inline_->memo_of_expected();
    if (memo == nullptr) return false;
    DirectLaunch direct(launch, expected, next_operation_);
    if constexpr (is_told) tell_launched(*observer_, direct);
    pipeline_.serve_direct<is_told>(direct, *memo, inline_->advance());
    ++next_operation_;
    if (!pipeline_.run_direct(direct, cost)) [[unlikely]]
        retire_failed(direct);
    return true;
}

void Core::retire_failed(DirectLaunch& direct) {
    LaunchDescription launch = direct.launch();
    LaunchKind kind = *launch.kind;
    kind.closure = {};  // it has been called
    launch.kind = &kind;
    pipeline_.retire_failed_direct(builder_.build(launch, direct.checked(), direct.number()),
                                   direct);
}

/// Whether the launch was the expected one of a loop that goes on: it is looked at before anything is made of it.
template <bool is_told>
[[gnu::always_inline]] inline bool Core::launch_expected(const LaunchDescription& launch) {
    if (next_operation_ >= alone_switch_.next_look()) [[unlikely]]
        alone_switch_.look(next_operation_, inline_->expected_launches(), inline_->loop_length());
    if (pipeline_.is_in_row() && launch_in_row<is_told>(launch)) return true;
    const CheckedLaunch* expected = inline_->expected(launch, next_operation_);
    if (expected == nullptr) return false;
    if (expected->shapes != nullptr && launch_directly<is_told>(launch, *expected)) return true;
    Operation& operation = build_expected(launch, *expected);
    pipeline_.launched(operation);
    ++next_operation_;
    inline_->issue_expected<is_told>(operation, expected->records);  // it fills no table
    return true;
}

template <bool is_told>
[[gnu::always_inline]] inline void Core::launch_in_stream(const LaunchDescription& launch) {
    if (launch_expected<is_told>(launch)) return;
    Operation& operation = builder_.build(launch, next_operation_);
    pipeline_.launched(operation);
    ++next_operation_;
    inline_->operation(operation, launch, builder_.checked());
    check_tables();
}

void Core::fence(const LaunchSite& site) {
    guarded(site, [&] {
        check_thread("fence");
        hand_on(builder_.build_fence(site, next_operation_));
    });
}

void Core::hand_on(Operation& operation) {
    pipeline_.launched(operation);
    ++next_operation_;
    const graph::OperationNumber number = operation.number;
    if (inline_ && !manual_trace_) {
        inline_->operation(operation);
    } else if (auto_ && !manual_trace_) {
        auto_->operation(operation);
    } else {
        if (observer_ != nullptr) [[unlikely]]
            tell_observer(operation);
        pipeline_.issue(number);
    }
    check_tables();
}

std::size_t Core::table_bytes() const {
    return pipeline_.table_bytes() + builder_.table_bytes();
}

/// After each operation that may fill tables. But a program waits at most once per 32 operations,
/// however small the limit is.
inline void Core::check_tables() {
    constexpr std::uint64_t reset_interval = 32;
    if (table_bytes() <= options_.limits.analysis_bytes) [[likely]]
        return;
    if (!manual_trace_ && next_operation_ - reset_before_ >= reset_interval) reset_tables();
}

void Core::reset_tables() {
    ++table_resets_;
    reset_before_ = next_operation_;
    forget_tables();
}

void Core::analyse_by_walks() {
    forget_tables();
    pipeline_.analyse_by_walks();
}

void Core::forget_tables() {
    interrupt();
    pipeline_.wait_for_all();
    pipeline_.reset_tables();
    builder_.begin_epoch();
    if (inline_) inline_->forget();
}

void Core::tell_observer(Operation& operation) {
    if (!manual_trace_)
        return tell_launched(*observer_, operation,
                             [&] { return token_of(operation, options_.checks.token_bits); });
    time_tasks_if_sampled(*observer_, operation);
    observer_->launched_in_manual_trace(observed(operation));
}

void Core::flush() {
    if (observer_ != nullptr) observer_->wait_begins_in_program();
    if (auto_) auto_->flush();
    if (observer_ != nullptr) observer_->handed_on();
}

void Core::interrupt() {
    flush();
    if (auto_) auto_->interrupt();
    if (inline_) inline_->interrupt();
}

void Core::flush_if_held(graph::OperationNumber number) {
    if (!auto_ || auto_->holds(number)) flush();
}

std::vector<FailedTask> Core::take_failures() {
    return guarded("take_failures", [&] {
        check_thread("take_failures");
        flush();
        pipeline_.wait_for_all();
        return failures_.take_thrown();
    });
}

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

std::vector<LaunchSiteReport> Core::why_not_traced() const {
    if (observer_ == nullptr) observe::Observer::refuse_to_explain();
    return observer_->why_not_traced();
}

Statistics Core::statistics() const {
    Statistics statistics;
    pipeline_.add_to(statistics);
    if (auto_) auto_->add_to(statistics);
    if (inline_) inline_->add_to(statistics);
    statistics.binding = binding_.description();
    for (unsigned worker = 0; worker < worker_count_; ++worker) {
        const machine::Core* const core = binding_.core_of(worker);
        if (core == nullptr) continue;
        statistics.workers[worker].processor = static_cast<int>(core->processors.front());
        statistics.workers[worker].memory_node = static_cast<int>(core->memory_node);
    }
    statistics.analysis.bytes = table_bytes();
    statistics.analysis.table_resets = table_resets_;
    statistics.launches.regions = regions_.created();
    statistics.launches.futures = futures_made_;
    statistics.launches.failed = failures_.thrown();
    statistics.launches.host_accesses = host_accesses_;
    statistics.storage = {.bytes_in_use = pool_.bytes_in_use(),
                          .bytes_peak = pool_.bytes_peak(),
                          .bytes_held = pool_.bytes_held()};
    return statistics;
}

}  // namespace refrain::runtime
