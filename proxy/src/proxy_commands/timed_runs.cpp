#include "proxy_commands/timed_runs.hpp"

#include "proxy_commands/run.hpp"
#include "proxy_commands/stage.hpp"
#include "refrain/error.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace refrain::proxy {

void Times::add(const Recording& run) {
    double longest = 0, all = 0;
    for (const Recording::RankSummary& rank : run.ranks) {
        longest = std::max(longest, rank.wall_seconds);
        all += rank.cpu_seconds;
    }
    wall.push_back(longest);
    cpu.push_back(all);
}

std::vector<std::pair<std::string, TimeVerdict>> TimedRuns::verdicts() const {
    if (!problem.empty() || original.wall.empty()) return {};
    return {{"wall", compare_times(original.wall, proxy.wall)},
            {"cpu", compare_times(original.cpu, proxy.cpu)}};
}

void check_times(const Options& options) {
    if (options.times < 0 || options.times == 1)
        throw UsageError(
            "--time " + std::to_string(options.times) +
            ": two runs or more are wanted, as in --time 5; one does not tell how much "
            "runs vary");
}

TimedRuns run_in_turns(const Recording& original, const std::vector<std::string>& proxy,
                       const Options& options) {
    TimedRuns runs;
    const std::vector<std::string>& program = original.launch.words;
    if (options.times > 0 && program.empty())
        runs.problem = "'" + options.inputs[0] + "' does not say how the program is run";
    const auto timed = [&](const std::vector<std::string>& words, Times& times) {
        if (!runs.problem.empty()) return;
        const std::string run = options.inputs[1] + "/time-run";
        const int status = record(words, find_target(words, options.mpi), run, RecordSettings());
        if (status != 0)
            runs.problem = "'" + words.back() + "' ended with status " + std::to_string(status);
        else if (const std::string why = incomplete(run); !why.empty())
            runs.problem = "'" + words.back() + "': " + why;
        else
            times.add(merge_folder(run));
    };
    Stage running("running both in turns", static_cast<std::uint64_t>(options.times));
    for (int turn = 0; turn < options.times; ++turn, running.advance()) {
        timed(program, runs.original);
        timed(proxy, runs.proxy);
    }
    return runs;
}

void print_times(const TimedRuns& times) {
    if (!times.problem.empty()) std::cout << "Time: no verdict: " << times.problem << '\n';
    for (const auto& [name, verdict] : times.verdicts()) {
        char line[200];
        if (verdict.exists())
            std::snprintf(
                line, sizeof line,
                "Time (%s), proxy / original: %.3f; 95 %% of resampled runs: %.3f to %.3f\n",
                name.c_str(), verdict.ratio, verdict.low, verdict.high);
        else if (!verdict.measured)
            std::snprintf(line, sizeof line,
                          "Time (%s): no verdict, since the original takes less than its clock "
                          "tells\n",
                          name.c_str());
        else
            std::snprintf(line, sizeof line,
                          "Time (%s): no verdict, since the original varies by %.0f %% from run to "
                          "run (%.0f %% at most)\n",
                          name.c_str(), 100 * verdict.variation, 100 * TimeVerdict::variation_max);
        std::cout << line;
    }
}

void add_times(page::JsonWriter& json, const TimedRuns& times) {
    json.key("time").begin_array();
    for (const auto& [name, verdict] : times.verdicts()) {
        json.begin_object().key("name").value(name).key("ratio").value(verdict.ratio);
        json.key("low").value(verdict.low).key("high").value(verdict.high);
        json.key("variation").value(verdict.variation);
        json.key("verdict").value(verdict.exists()).end_object();
    }
    json.end_array();
    json.key("timeProblem").value(times.problem);
}

}  // namespace refrain::proxy
