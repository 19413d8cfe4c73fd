#include "refrain/statistics.hpp"

#include <iomanip>
#include <sstream>
#include <string_view>

namespace refrain {
namespace {

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void phase(std::ostream& out, const char* name, const PhaseStatistics& phase) {
    if (phase.tasks == 0) return;
    out << "  " << name << " " << phase.seconds * 1e9 / static_cast<double>(phase.tasks)
        << " ns per task, " << phase.tasks << " tasks\n";
}

std::string place(const WorkerStatistics& worker) {
    if (worker.processor < 0) return {};
    return ", processor " + std::to_string(worker.processor) + ", memory node " +
           std::to_string(worker.memory_node);
}

bool is_mined(const AutotraceStatistics& autotrace) {
    return std::string_view(autotrace.recogniser) == "mined";
}

void mined(std::ostream& out, const AutotraceStatistics& a) {
    out << "  autotrace  mined: first replay at operation " << a.first_replay << ", " << a.traces
        << " traces, left " << a.traces_left << " times, " << a.candidates << " candidates, "
        << a.slices_mined << " slices mined, " << a.held_back_mean
        << " operations held back on average, " << a.bytes / 1024 << " KiB\n";
}

void inlined(std::ostream& out, const AutotraceStatistics& a) {
    out << "  autotrace  inline: first replay at operation " << a.first_replay << ", "
        << share(a.predicted, a.examined) << " % of " << a.examined << " operations as predicted, "
        << share(a.compiled, a.examined) << " % in compiled loops, " << a.found
        << " found elsewhere, " << a.skipped << " skipped\n";
    out << "             " << a.memos << " memos, " << a.memo_bytes << " bytes; matcher "
        << a.matcher_bytes / 1024 << " KiB, descriptions " << a.description_bytes / 1024
        << " KiB, compiled loop " << a.compiled_bytes << " bytes\n";
}

}  // namespace

std::string Statistics::to_string() const {
    std::ostringstream out;
    out << std::fixed << std::setprecision(1);
    out << "refrain: " << launches.operations << " operations, " << launches.tasks << " tasks, "
        << launches.regions << " regions, " << launches.futures << " futures, "
        << launches.host_accesses << " host accesses\n";
    if (launches.batches != 0)
        out << "  batches    " << launches.batched_tasks << " single tasks in " << launches.batches
            << " batches\n";
    if (launches.in_lanes != 0)
        out << "  lanes      " << launches.in_lanes
            << " launches whose points have fixed workers\n";
    if (launches.direct != 0)
        out << "  direct     " << launches.direct << " launches that ran inside of their calls\n";
    if (launches.in_rows != 0)
        out << "  rows       " << launches.in_rows
            << " of these launches in rows, as those of earlier turns of their loop\n";
    out << "  analysis   " << traces.analysed << " operations analysed, " << analysis.hops
        << " hops, " << analysis.footprints << " footprints, " << analysis.patterns
        << " edge patterns, " << analysis.bytes / 1024 << " KiB\n";
    if (analysis.states != 0)
        out << "  states     " << analysis.states << " states, " << analysis.transitions
            << " transitions; of the accesses to regions " << analysis.known_transitions
            << " served by a known transition, no geometry computed, " << analysis.found_transitions
            << " by a new one, " << analysis.private_transitions << " from a log\n";
    out << "  traces     " << share(traces.replayed, launches.operations) << " % replayed, "
        << traces.recorded << " operations recorded";
    if (traces.replays + traces.recordings != 0 || !autotrace.enabled || is_mined(autotrace))
        out << ", " << traces.replays << " replays of " << traces.variants << " templates, "
            << traces.mismatches << " mismatches, " << traces.bytes / 1024 << " KiB";
    out << "\n";
    if (!traces.last_mismatch.empty()) out << "             last: " << traces.last_mismatch << "\n";
    if (traces.verified != 0)
        out << "  verified   " << traces.verified << " replayed operations, "
            << traces.verify_failures << " differences\n";
    if (autotrace.enabled) (is_mined(autotrace) ? mined : inlined)(out, autotrace);
    for (std::size_t worker = 0; worker < workers.size(); ++worker)
        out << "  worker " << worker << "   " << workers[worker].tasks << " tasks, "
            << workers[worker].steals << " steals, " << workers[worker].sleeps << " sleeps, "
            << workers[worker].waits << " waits, " << workers[worker].skipped << " skipped"
            << place(workers[worker]) << "\n";
    if (!binding.empty()) out << "  bound to   " << binding << "\n";
    out << "  storage    " << storage.bytes_peak / 1024 << " KiB at most\n";
    phase(out, "analysing ", analysing);
    phase(out, "recording ", recording);
    phase(out, "replaying ", replaying);
    return out.str();
}

}  // namespace refrain
