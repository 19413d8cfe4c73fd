/// How an Observer builds and writes its report when the run is over.

#include "base/clock.hpp"
#include "observe/observer.hpp"
#include "observe/task_times.hpp"
#include "observe/timeline.hpp"
#include "refrain/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <unistd.h>

namespace refrain::observe {
namespace {

using page::Stage;

/// Returns the resident memory of the process; 0 if the system does not tell it.
std::uint64_t resident_bytes() {
    unsigned long long total = 0;
    unsigned long long resident = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%llu %llu", &total, &resident) != 2) resident = 0;
        std::fclose(file);
    }
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

constexpr std::chrono::milliseconds resident_interval{5};  // reading it takes microseconds

/// Adds up all but the largest parts.
void keep_largest(std::vector<page::MemoryHeld::Part>& parts) {
    constexpr std::size_t parts_max = 24;
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    if (parts.size() <= parts_max) return;
    page::MemoryHeld::Part others{
        "regions of " + std::to_string(parts.size() - parts_max) + " other names", 0, 0};
    for (std::size_t i = parts_max; i < parts.size(); ++i) {
        others.bytes += parts[i].bytes;
        others.count += parts[i].count;
    }
    parts.resize(parts_max);
    parts.push_back(std::move(others));
}

}  // namespace

page::RunSample Observer::sample() {
    page::RunSample now;
    now.operations = counted_.operations;
    now.replayed = counted_.replayed;
    now.recorded = counted_.recorded;
    now.ticks = interest_.elapsed_since(journal_->began());
    const auto time = std::chrono::steady_clock::now();
    if (resident_bytes_ == 0 || time - resident_read_ > resident_interval) {
        resident_bytes_ = resident_bytes();
        resident_read_ = time;
    }
    now.resident_bytes = resident_bytes_;
    const MemoryMeter::Bytes memory = memory_->bytes_in_use();
    now.storage_bytes = memory.storage;
    now.analysis_bytes = memory.analysis;
    now.tracing_bytes = tracer_->store().bytes();
    if (miner_ != nullptr)
        now.tracing_bytes +=
            miner_->statistics().candidate_bytes + miner_->statistics().history_bytes;
    if (recogniser_ != nullptr)
        now.tracing_bytes += recogniser_->matcher_bytes() + recogniser_->description_bytes_used() +
                             tracer_->memos()->bytes();
    note_memory(now);
    return now;
}

/// Looking at each region takes time: at most a hundredth of the run's, unless clearly more is held.
void Observer::note_memory(const page::RunSample& now) {
    const std::uint64_t bytes = now.storage_bytes + now.tracing_bytes + now.analysis_bytes;
    if (bytes <= fullest_bytes_) return;
    const bool is_soon = now.ticks - fullest_ticks_ < 100 * fullest_cost_;
    if (is_soon && bytes <= fullest_bytes_ + fullest_bytes_ / 8) return;
    fullest_bytes_ = bytes;
    const std::uint64_t begin = base::ticks();
    fullest_ = memory_->held();
    fullest_cost_ = base::ticks() - begin;
    keep_largest(fullest_.regions);
    fullest_.operations = now.operations;
    fullest_ticks_ = now.ticks;
    const auto add = [&](const char* name, std::uint64_t table_bytes) {
        if (table_bytes != 0) fullest_.tables.push_back({name, table_bytes, 0});
    };
    add("templates of traces", tracer_->store().bytes());
    if (miner_ != nullptr) {
        add("candidates of the miner", miner_->statistics().candidate_bytes);
        add("history of the miner", miner_->statistics().history_bytes);
    }
    if (recogniser_ == nullptr) return;
    add("matcher of the recogniser", recogniser_->matcher_bytes());
    add("descriptions of launches", recogniser_->description_bytes_used());
    add("kept dependences (memos)", tracer_->memos()->bytes());
}

/// Of the launching thread's time outside of the stages, waits without tasks count as idle, and the
/// rest as the program's own.
page::RunData::Worker Observer::worker(unsigned index, std::uint64_t elapsed) const {
    const TaskLog& log = *journal_->task_logs()[index];
    page::RunData::Worker worker;
    const auto of = [&](Stage stage) -> double& {
        return worker.seconds[static_cast<std::size_t>(stage)];
    };
    const double whole = static_cast<double>(elapsed);
    const double mining = log.thread == std::thread::id() ? 0 : journal_->mining_ticks(log.thread);
    of(Stage::mining) = seconds(mining);
    double tasks = log.ticks;
    double rest = whole - mining;
    if (index == 0) {
        worker.name = "launching thread";
        constexpr std::pair<Stage, SpanKind> own[] = {
            {Stage::launch, SpanKind::launch},     {Stage::match, SpanKind::match},
            {Stage::analysis, SpanKind::analysis}, {Stage::recording, SpanKind::recording},
            {Stage::replay, SpanKind::replay},     {Stage::linking, SpanKind::linking}};
        for (const auto& [stage, kind] : own) {
            of(stage) = seconds(journal_->ticks(kind));
            rest -= journal_->ticks(kind);
        }
        const double waits = journal_->ticks(SpanKind::wait);
        const double in_waits = log.ticks_in_waits(waits);
        const double outside = log.ticks_beside_waits(rest - waits);
        tasks = in_waits + outside;
        of(Stage::idle) = seconds(waits - in_waits);
        of(Stage::program) = seconds(std::max(0.0, rest - waits - outside));
    } else {
        worker.name = "worker " + std::to_string(index);
        tasks = std::min(tasks, std::max(0.0, rest));
        of(Stage::idle) = seconds(std::max(0.0, rest - tasks));
    }
    of(Stage::execution) = seconds(tasks);
    return worker;
}

void Observer::add_totals(page::RunData& run, const Statistics& statistics) const {
    if (!interest_.is_declared()) {
        run.operations = statistics.launches.operations;
        run.tasks = statistics.launches.tasks;
        run.replayed = statistics.traces.replayed;
        run.recorded = statistics.traces.recorded;
        run.analysed = statistics.traces.analysed;
    } else {
        run.operations = counted_.operations;
        run.replayed = counted_.replayed;
        run.recorded = counted_.recorded;
        run.analysed = counted_.operations - counted_.replayed - counted_.recorded;
        for (const LaunchSiteReport& site : run.sites) run.tasks += site.tasks;
    }
    run.mismatches = mismatches_of_interest();
    run.first_replay = statistics.autotrace.first_replay;
    if (miner_ != nullptr) {
        const autotrace::Statistics& s = miner_->statistics();
        run.automatic = true;
        run.held_back_mean = s.held_back_mean();
    }
    if (recogniser_ != nullptr) run.automatic = run.from_precedents = true;
}

void Observer::add_interest(page::RunData& run, const Statistics& statistics) const {
    if (!interest_.is_declared()) return;
    run.interest = {.stretches = interest_.stretches(),
                    .first_operation = interest_.first(),
                    .last_operation = interest_.is_open() ? newest_issued_ : interest_.end() - 1,
                    .launched = statistics.launches.operations};
}

void Observer::add_curve(page::RunData& run) {
    journal_->curve.end(sample());
    for (const page::RunSample& sample : journal_->curve.samples())
        run.curve.push_back({sample, seconds(static_cast<double>(sample.ticks))});
}

void Observer::add_books(page::RunData& run) const {
    run.traces = journal_->traces.traces();
    run.other_traces = journal_->traces.others();
    run.other_trace_count = journal_->traces.other_count();
    run.loops = journal_->loops.loops();
    run.other_loop_count = journal_->loops.other_count();
    run.other_loops_served = journal_->loops.others_served();
    if (states_) run.automata = states_->automata();
    run.failures = failures_;
    run.memory = fullest_;
    run.memory.seconds = seconds(static_cast<double>(fullest_ticks_));
    keep_largest(run.memory.tables);
}

page::RunData Observer::run_data(const Statistics& statistics) {
    const std::uint64_t ticks = interest_.elapsed_since(journal_->began());
    ns_per_tick_ = base::ns_per_tick();
    page::RunData run;
    run.title = program_invocation_short_name;
    run.seconds = seconds(static_cast<double>(ticks));
    run.analysis_ns = journal_->launching_spans().median_ticks(SpanKind::analysis) * ns_per_tick_;
    run.replay_ns = journal_->launching_spans().median_ticks(SpanKind::replay) * ns_per_tick_;
    add_curve(run);
    const TaskTimes times(*journal_);
    times.add_to(run, *sites_, ns_per_tick_ * 1e-9);
    run.sites = reports();
    add_totals(run, statistics);
    add_interest(run, statistics);
    add_books(run);
    for (unsigned i = 0; i < journal_->task_logs().size(); ++i)
        run.workers.push_back(worker(i, ticks));
    return run;
}

void Observer::ends(const Statistics& statistics) {
    end_quiet();
    if (!journal_) return;
    try {
        if (!options_.report.empty())
            page::write_file(options_.report, page::html(run_data(statistics)), "report",
                             {page::page_mark, options_.force});
        if (!options_.timeline.empty())
            page::write_file(options_.timeline, observe::timeline(*journal_, *sites_), "timeline",
                             {timeline_mark, options_.force});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "refrain: %s\n", error.what());
    }
}

}  // namespace refrain::observe
