#include "script_command/log_text.hpp"

#include "refrain/error.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>

#include "memo/run_folder.hpp"

namespace refrain::script {
namespace {

std::string fixed(double value, int digits) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

std::string clock_text(double seconds, const char* format) {
    const auto whole = static_cast<std::time_t>(seconds);
    std::tm parts{};
    localtime_r(&whole, &parts);
    std::array<char, 40> text{};
    std::strftime(text.data(), text.size(), format, &parts);
    return text.data();
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

std::string name_of(const std::string& folder) {
    return std::filesystem::path(folder).filename().string();
}

/// "done", "failed", "killed" and, of the tasks, how many.
std::string outcome_of(const RunHistory& history) {
    if (history.ends.size() < history.runs.size()) return "was killed";
    const RunEnd& end = history.ends.back();
    return (end.status == 0 ? "ended well, after " : "failed, after ") + fixed(end.seconds, 2) +
           " s";
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
        text += ", resumed " + std::to_string(history.runs.size() - 1) + " times";
    text += "\n";
    if (history.torn_bytes != 0)
        text += "the last record is torn: " + std::to_string(history.torn_bytes) + " bytes\n";
    return text;
}

struct Sum {
    std::uint64_t done = 0, cached = 0, failed = 0, interrupted = 0;
    double seconds = 0, longest = 0;
};

std::string summary_of(const std::vector<TaskRecord>& tasks) {
    std::map<std::string, Sum> sums;
    for (const TaskRecord& each : tasks) {
        Sum& sum = sums[each.function];
        ++(each.state == "done"     ? sum.done
           : each.state == "cached" ? sum.cached
           : each.state == "failed" ? sum.failed
                                    : sum.interrupted);
        sum.seconds += each.seconds;
        sum.longest = std::max(sum.longest, each.seconds);
    }
    std::string text = padded("function", 20) + padded("done", 8) + padded("cached", 8) +
                       padded("failed", 8) + padded("interrupted", 13) + padded("seconds", 10) +
                       "longest\n";
    for (const auto& [function, sum] : sums)
        text += padded(function, 20) + padded(std::to_string(sum.done), 8) +
                padded(std::to_string(sum.cached), 8) + padded(std::to_string(sum.failed), 8) +
                padded(std::to_string(sum.interrupted), 13) + padded(fixed(sum.seconds, 3), 10) +
                fixed(sum.longest, 3) + "\n";
    return text;
}

std::string line_of(const TaskRecord& task, bool why) {
    std::string text = clock_text(task.began, "%H:%M:%S") + "  " + padded(task.state, 12) +
                       padded(fixed(task.seconds, 3) + " s", 12) + padded(task.place, 24) +
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
