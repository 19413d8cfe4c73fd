#include "refrain/statistics.hpp"

#include <iomanip>
#include <sstream>

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

}  // namespace

std::string Statistics::to_string() const {
    std::ostringstream out;
    out << std::fixed << std::setprecision(1);
    out << "refrain: " << launches.operations << " operations, " << launches.tasks << " tasks, "
        << launches.regions << " regions, " << launches.futures << " futures, "
        << launches.host_accesses << " host accesses\n";
    out << "  analysis   " << traces.analysed << " operations analysed, " << analysis.hops
        << " hops, " << analysis.footprints << " footprints, " << analysis.patterns
        << " edge patterns, " << analysis.bytes / 1024 << " KiB\n";
    out << "  traces     " << share(traces.replayed, launches.operations) << " % replayed, "
        << traces.recorded << " operations recorded, " << traces.replays << " replays of "
        << traces.variants << " templates, " << traces.mismatches << " mismatches, "
        << traces.bytes / 1024 << " KiB\n";
    if (!traces.last_mismatch.empty()) out << "             last: " << traces.last_mismatch << "\n";
    if (traces.verified != 0)
        out << "  verified   " << traces.verified << " replayed operations, "
            << traces.verify_failures << " differences\n";
    if (autotrace.enabled)
        out << "  autotrace  first replay at operation " << autotrace.first_replay << ", "
            << autotrace.traces << " traces, " << autotrace.candidates << " candidates, "
            << autotrace.slices_mined << " slices mined, " << autotrace.held_back_mean
            << " operations held back on average\n";
    for (std::size_t worker = 0; worker < workers.size(); ++worker)
        out << "  worker " << worker << "   " << workers[worker].tasks << " tasks, "
            << workers[worker].steals << " steals, " << workers[worker].rests << " rests, "
            << workers[worker].skipped << " skipped\n";
    out << "  storage    " << storage.bytes_peak / 1024 << " KiB at most\n";
    phase(out, "analysing ", analysing);
    phase(out, "recording ", recording);
    phase(out, "replaying ", replaying);
    return out.str();
}

}  // namespace refrain
