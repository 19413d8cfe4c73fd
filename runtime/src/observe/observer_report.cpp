/// How an Observer builds and writes its report when the run is over.

#include "base/clock.hpp"
#include "observe/observer.hpp"
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

}  // namespace

page::RunSample Observer::sample(std::uint64_t operations) {
    page::RunSample now;
    now.operations = operations;
    now.ticks = base::ticks();
    const auto time = std::chrono::steady_clock::now();
    if (resident_bytes_ == 0 || time - resident_read_ > resident_interval) {
        resident_bytes_ = resident_bytes();
        resident_read_ = time;
    }
    now.resident_bytes = resident_bytes_;
    const trace::TraceCounters& counters = tracer_->counters();
    now.replayed = counters.replayed;
    now.recorded = counters.recorded;
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
    return now;
}

/// Of the launching thread's time outside of the stages, waits without tasks count as idle, and the
/// rest as the program's own.
page::RunData::Worker Observer::worker(unsigned index, std::uint64_t ended) const {
    const TaskLog& log = *journal_->task_logs()[index];
    page::RunData::Worker worker;
    const auto of = [&](Stage stage) -> double& {
        return worker.seconds[static_cast<std::size_t>(stage)];
    };
    const double whole = static_cast<double>(ended - journal_->began());
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
        tasks = std::min(tasks, waits);  // it runs tasks only while it waits
        of(Stage::idle) = seconds(waits - tasks);
        of(Stage::program) = seconds(std::max(0.0, rest - waits));
    } else {
        worker.name = "worker " + std::to_string(index);
        tasks = std::min(tasks, std::max(0.0, rest));
        of(Stage::idle) = seconds(std::max(0.0, rest - tasks));
    }
    of(Stage::execution) = seconds(tasks);
    return worker;
}

page::RunData Observer::run_data(const Statistics& statistics) {
    const std::uint64_t ended = base::ticks();
    ns_per_tick_ = base::ns_per_tick();
    page::RunData run;
    run.title = program_invocation_short_name;
    run.seconds = seconds(static_cast<double>(ended - journal_->began()));
    run.operations = statistics.launches.operations;
    run.tasks = statistics.launches.tasks;
    run.replayed = statistics.traces.replayed;
    run.recorded = statistics.traces.recorded;
    run.analysed = statistics.traces.analysed;
    run.mismatches = statistics.traces.mismatches;
    if (miner_ != nullptr) {
        const autotrace::Statistics& s = miner_->statistics();
        run.automatic = true;
        run.held_back_mean = s.held_back_mean();
        run.first_replay = s.first_replay == autotrace::Statistics::never ? 0 : s.first_replay + 1;
    }
    if (recogniser_ != nullptr) {
        run.automatic = true;
        run.from_precedents = true;
        run.first_replay = first_served_;
    }
    run.analysis_ns = journal_->launching_spans().median_ticks(SpanKind::analysis) * ns_per_tick_;
    run.replay_ns = journal_->launching_spans().median_ticks(SpanKind::replay) * ns_per_tick_;
    journal_->curve.end(sample(newest_issued_));
    for (const page::RunSample& sample : journal_->curve.samples())
        run.curve.push_back(
            {sample, seconds(static_cast<double>(sample.ticks - journal_->began()))});
    run.sites = why_not_traced();
    run.traces = journal_->traces.traces();
    run.other_traces = journal_->traces.others();
    run.other_trace_count = journal_->traces.other_count();
    run.loops = journal_->loops.loops();
    run.other_loop_count = journal_->loops.other_count();
    run.other_loops_served = journal_->loops.others_served();
    if (states_) run.automata = states_->automata();
    for (unsigned i = 0; i < journal_->task_logs().size(); ++i)
        run.workers.push_back(worker(i, ended));
    return run;
}

void Observer::ends(const Statistics& statistics) {
    if (!journal_) return;
    try {
        if (!options_.report.empty())
            page::write_file(options_.report, page::html(run_data(statistics)), "report",
                             {page::page_mark, options_.force});
        if (!options_.timeline.empty())
            page::write_file(options_.timeline, observe::timeline(*journal_), "timeline",
                             {timeline_mark, options_.force});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "refrain: %s\n", error.what());
    }
}

}  // namespace refrain::observe
