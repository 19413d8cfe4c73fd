#include "cli/mining_report.hpp"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <string>

namespace refrain::cli {
namespace {

constexpr std::size_t traces_shown_max = 20;

std::string percent(double share) {
    std::string text = std::to_string(share * 100);
    return text.substr(0, text.find('.') + 3) + " %";
}

void print_line(std::ostream& out, const std::string& name, const std::string& value,
                const std::string& remark = "") {
    out << std::left << std::setw(24) << name << std::right << std::setw(14) << value;
    if (!remark.empty()) out << "   " << remark;
    out << '\n';
}

void print_counts(std::ostream& out, const MiningOutcome& outcome) {
    const autotrace::Statistics& counts = outcome.statistics;
    print_line(out, "operations", std::to_string(counts.operations));
    print_line(out, "traceable", std::to_string(counts.traceable));
    print_line(out, "recorded", std::to_string(counts.recorded), "first executions of traces");
    print_line(out, "replayed", std::to_string(counts.replayed));
    print_line(out, "coverage", percent(outcome.coverage), "replayed share of the traceable");
    print_line(out, "  in the second half", percent(outcome.coverage_second_half));
    const bool any = counts.first_replay != autotrace::Statistics::never;
    print_line(out, "first replay", any ? std::to_string(counts.first_replay) : "never",
               "operations before it");
    print_line(out, "warm-up", outcome.warm_up ? std::to_string(*outcome.warm_up) : "not over",
               "until " + percent(MiningOutcome::steady_share) + " of " +
                   std::to_string(MiningOutcome::window_operations) + " are replayed");
    std::string mean = std::to_string(counts.held_back_mean());
    print_line(out, "held back, mean", mean.substr(0, mean.find('.') + 2),
               "operations launched before one is passed on");
    print_line(out, "traces", std::to_string(outcome.traces.size()));
}

void print_traces(std::ostream& out, std::vector<MiningOutcome::Trace> traces) {
    if (traces.empty()) return;
    std::stable_sort(traces.begin(), traces.end(), [](const auto& a, const auto& b) {
        return a.replays * a.length > b.replays * b.length;
    });
    out << "\n   trace   length   replays   first recorded after\n";
    for (std::size_t i = 0; i < std::min(traces.size(), traces_shown_max); ++i) {
        const MiningOutcome::Trace& trace = traces[i];
        out << std::setw(8) << trace.id << std::setw(9) << trace.length << std::setw(10)
            << trace.replays << std::setw(23) << trace.recorded_at << '\n';
    }
    if (traces.size() > traces_shown_max) {
        out << "     and " << traces.size() - traces_shown_max << " with fewer replays\n";
    }
}

}  // namespace

void print_table(std::ostream& out, const MiningOutcome& outcome) {
    print_counts(out, outcome);
    print_traces(out, outcome.traces);
}

void print_json(std::ostream& out, const MiningOutcome& outcome) {
    const autotrace::Statistics& counts = outcome.statistics;
    nlohmann::ordered_json json;
    json["operations"] = counts.operations;
    json["traceable"] = counts.traceable;
    json["replayed"] = counts.replayed;
    json["coverage"] = outcome.coverage;
    json["coverage_second_half"] = outcome.coverage_second_half;
    json["first_replay"] = nullptr;
    if (counts.first_replay != autotrace::Statistics::never) {
        json["first_replay"] = counts.first_replay;
    }
    json["traces"] = outcome.traces.size();
    json["held_back_mean"] = counts.held_back_mean();
    out << json.dump(2) << '\n';
}

}  // namespace refrain::cli
