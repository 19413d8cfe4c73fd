#include "commands/mining_report.hpp"

#include "commands/replayed_share.hpp"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace refrain::commands {
namespace {

constexpr std::size_t traces_shown_max = 20;
constexpr std::size_t loops_shown_max = 20;

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

/// The lines that both recognisers share.
template <class Outcome>
void print_quality(std::ostream& out, const Outcome& outcome,
                   std::optional<std::uint64_t> first_replay) {
    print_line(out, "coverage", percent(outcome.coverage), "replayed share of the traceable");
    print_line(out, "  in the second half", percent(outcome.coverage_second_half));
    print_line(out, "  in the last quarter", percent(outcome.coverage_last_quarter));
    print_line(out, "first replay", first_replay ? std::to_string(*first_replay) : "never",
               "operations before it");
    print_line(out, "warm-up", outcome.warm_up ? std::to_string(*outcome.warm_up) : "not over",
               "until " + percent(steady_share) + " of " +
                   std::to_string(steady_window_operations) + " are replayed");
}

void print_counts(std::ostream& out, const MiningOutcome& outcome) {
    const autotrace::Statistics& counts = outcome.statistics;
    print_line(out, "operations", std::to_string(counts.operations));
    print_line(out, "traceable", std::to_string(counts.traceable));
    print_line(out, "recorded", std::to_string(counts.recorded), "first executions of traces");
    print_line(out, "replayed", std::to_string(counts.replayed));
    const bool any = counts.first_replay != autotrace::Statistics::never;
    print_quality(out, outcome, any ? std::optional(counts.first_replay) : std::nullopt);
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
        out << std::setw(8) << number_of(trace.id) << std::setw(9) << trace.length << std::setw(10)
            << trace.replays << std::setw(23) << trace.recorded_at << '\n';
    }
    if (traces.size() > traces_shown_max) {
        out << "     and " << traces.size() - traces_shown_max << " with fewer replays\n";
    }
}

void print_counts(std::ostream& out, const InlineOutcome& outcome) {
    print_line(out, "operations", std::to_string(outcome.operations));
    print_line(out, "traceable", std::to_string(outcome.traceable));
    print_line(out, "repeated", std::to_string(outcome.repeated), "equal an earlier operation");
    print_line(out, "replayed", std::to_string(outcome.replayed),
               "in a context that repeats for the second time");
    print_quality(out, outcome, outcome.first_replay);
    print_line(out, "held back, mean", "0.0", "operations launched before one is passed on");
    print_line(out, "loops", std::to_string(outcome.loops.size()));
}

void print_loops(std::ostream& out, const std::vector<InlineOutcome::Loop>& loops) {
    if (loops.empty()) return;
    out << "\n  length   operations   first repeated after\n";
    for (std::size_t i = 0; i < std::min(loops.size(), loops_shown_max); ++i)
        out << std::setw(8) << loops[i].length << std::setw(13) << loops[i].operations
            << std::setw(23) << loops[i].first_at << '\n';
    if (loops.size() > loops_shown_max)
        out << "     and " << loops.size() - loops_shown_max << " with fewer operations\n";
}

/// The keys that both recognisers share.
template <class Outcome>
nlohmann::ordered_json quality_json(const Outcome& outcome, std::uint64_t operations,
                                    std::uint64_t traceable, std::uint64_t replayed,
                                    std::optional<std::uint64_t> first_replay) {
    nlohmann::ordered_json json;
    json["operations"] = operations;
    json["traceable"] = traceable;
    json["replayed"] = replayed;
    json["coverage"] = outcome.coverage;
    json["coverage_second_half"] = outcome.coverage_second_half;
    json["coverage_last_quarter"] = outcome.coverage_last_quarter;
    json["first_replay"] = nullptr;
    if (first_replay) json["first_replay"] = *first_replay;
    return json;
}

}  // namespace

void print_table(std::ostream& out, const MiningOutcome& outcome) {
    print_counts(out, outcome);
    print_traces(out, outcome.traces);
}

void print_json(std::ostream& out, const MiningOutcome& outcome) {
    const autotrace::Statistics& counts = outcome.statistics;
    const bool any = counts.first_replay != autotrace::Statistics::never;
    auto json = quality_json(outcome, counts.operations, counts.traceable, counts.replayed,
                             any ? std::optional(counts.first_replay) : std::nullopt);
    json["traces"] = outcome.traces.size();
    json["held_back_mean"] = counts.held_back_mean();
    out << json.dump(2) << '\n';
}

void print_table(std::ostream& out, const InlineOutcome& outcome) {
    print_counts(out, outcome);
    print_loops(out, outcome.loops);
}

void print_json(std::ostream& out, const InlineOutcome& outcome) {
    auto json = quality_json(outcome, outcome.operations, outcome.traceable, outcome.replayed,
                             outcome.first_replay);
    json["loops"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < std::min(outcome.loops.size(), loops_shown_max); ++i)
        json["loops"].push_back({{"length", outcome.loops[i].length},
                                 {"operations", outcome.loops[i].operations},
                                 {"first_repeated", outcome.loops[i].first_at}});
    json["held_back_mean"] = 0;
    out << json.dump(2) << '\n';
}

}  // namespace refrain::commands
