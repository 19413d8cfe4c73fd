#include "script_command/log_text.hpp"

#include "memo/run_folder.hpp"
#include "refrain/error.hpp"
#include "values/format.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace refrain::script {
namespace {

std::string clock_text(double seconds, const char* format) {
    return local_time(static_cast<std::time_t>(seconds), format).value_or("?");
}

std::string padded(const std::string& text, int width) {
    return printed("%-*s", width, text.c_str());
}

std::string name_of(const std::string& folder) {
    return std::filesystem::path(folder).filename().string();
}

/// "done", "failed", "killed" and, of the tasks, how many.
std::string outcome_of(const RunHistory& history) {
    if (history.ends.size() < history.runs.size()) return "was killed";
    const RunEnd& end = history.ends.back();
    return (end.status == 0 ? "ended well, after " : "failed, after ") +
           printed("%.2f", end.seconds) + " s";
}

std::string list_of(const std::vector<std::string>& folders) {
    std::string text;
    for (const std::string& each : folders) {
        const RunHistory history = read_run(each);
        if (history.runs.empty()) continue;
        text += padded(name_of(each), 26) + history.runs.back().script + ": " +
                std::to_string(history.tasks.size()) + " tasks, " + outcome_of(history) + "\n";
    }
    return text;
}

std::string head_of(const std::string& folder, const RunHistory& history) {
    const RunRecord& run = history.runs.back();
    std::string text = folder + "\n" + run.script;
    for (const std::string& each : run.arguments) text += " " + each;
    text += "\nbegan " + clock_text(run.began, "%Y-%m-%d %H:%M:%S") + ", " + outcome_of(history);
    if (history.runs.size() > 1)
        text += history.runs.size() == 2
                    ? ", resumed once"
                    : ", resumed " + std::to_string(history.runs.size() - 1) + " times";
    text += "\n";
    if (history.torn_bytes != 0)
        text += "the last record is torn: " + std::to_string(history.torn_bytes) + " bytes\n";
    return text;
}

struct Sum {
    std::map<std::string, std::uint64_t> tasks;  // by state
    double seconds = 0, longest = 0;
};

std::string summary_of(const std::vector<TaskRecord>& tasks) {
    std::map<std::string, Sum> sums;
    for (const TaskRecord& each : tasks) {
        Sum& sum = sums[each.function];
        ++sum.tasks[each.state];
        sum.seconds += each.seconds;
        sum.longest = std::max(sum.longest, each.seconds);
    }
    const auto row = [](const std::string& first, const auto& of_state, const std::string& seconds,
                        const std::string& longest) {
        std::string text = padded(first, 20);
        for (const char* state : {"done", "cached", "failed", "interrupted"})
            text += padded(of_state(state), std::string_view(state).size() < 8 ? 8 : 13);
        return text + padded(seconds, 10) + longest + "\n";
    };
    std::string text = row(
        "function", [](const char* state) { return std::string(state); }, "seconds", "longest");
    for (auto& each : sums)
        text += row(
            each.first, [&](const char* state) { return std::to_string(each.second.tasks[state]); },
            printed("%.3f", each.second.seconds), printed("%.3f", each.second.longest));
    return text;
}

std::string line_of(const TaskRecord& task, bool why) {
    std::string text = clock_text(task.began, "%H:%M:%S") + "  " + padded(task.state, 12) +
                       padded(printed("%.3f s", task.seconds), 12) + padded(task.place, 24) +
                       task.function;
    if (task.attempts > 1) text += ", attempt " + std::to_string(task.attempts);
    text += "\n";
    if (why)
        return text + "    " +
               (task.state == "cached" ? "it did not run: its result is known"
                : task.why.empty()     ? "results were not looked for"
                                       : task.why) +
               "\n";
    if (!task.text.empty()) text += "    " + task.text + "\n";
    if (!task.errors.empty()) text += "    standard error: " + task.errors + "\n";
    return text;
}

std::string chosen(const LogQuery& query, const std::vector<std::string>& folders) {
    if (std::filesystem::exists(query.run + "/tasks.log")) return query.run;
    for (auto each = folders.rbegin(); each != folders.rend(); ++each)
        if (query.run.empty() || name_of(*each).find(query.run) != std::string::npos) return *each;
    throw UsageError(query.run.empty()
                         ? "no run is recorded in '" + query.runs + "'"
                         : "no run '" + query.run + "' is recorded in '" + query.runs + "'");
}

}  // namespace

std::string log_text(const LogQuery& query) {
    const std::vector<std::string> folders = run_folders(query.runs);
    if (query.list) return list_of(folders);
    const std::string folder = chosen(query, folders);
    RunHistory history = read_run(folder);
    if (history.runs.empty()) throw UsageError("the record of '" + folder + "' is empty");
    std::erase_if(history.tasks, [&](const TaskRecord& each) {
        return (!query.function.empty() && each.function != query.function) ||
               (!query.state.empty() && each.state != query.state);
    });
    std::string text = head_of(folder, history) + "\n" + summary_of(history.tasks) + "\n";
    for (const TaskRecord& each : history.tasks) text += line_of(each, query.why);
    return text;
}

}  // namespace refrain::script
