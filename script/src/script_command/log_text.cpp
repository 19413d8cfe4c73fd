#include "script_command/log_text.hpp"

#include "memo/run_folder.hpp"
#include "refrain/error.hpp"
#include "values/format.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <cinttypes>
#include <filesystem>
#include <map>

namespace refrain::script {
namespace {

std::string clock_text(double seconds, const char* format) {
    return local_time(static_cast<std::time_t>(seconds), format).value_or("?");
}

std::string name_of(const std::string& folder) {
    return std::filesystem::path(folder).filename().string();
}

std::string outcome_of(const RunHistory& history) {
    if (!history.end) return "was killed";
    return (history.end->status == 0 ? "ended well, after " : "failed, after ") +
           printed("%.2f s", history.end->seconds);
}

std::string list_of(const std::vector<std::string>& folders) {
    std::string text;
    for (const std::string& each : folders) {
        const RunHistory history = read_run(each);
        if (history.runs.empty()) continue;
        text += printed("%-26s", name_of(each).c_str()) + history.runs.back().script + ": " +
                counted(history.tasks.size(), "task") + ", " + outcome_of(history) + "\n";
    }
    return text;
}

std::string head_of(const std::string& folder, const RunHistory& history) {
    const RunRecord& run = history.runs.back();
    std::string text = folder + "\n" + run.script;
    for (const std::string& each : run.arguments) text += " " + each;
    text += "\nbegan " + clock_text(run.began, "%Y-%m-%d %H:%M:%S") + ", " + outcome_of(history);
    if (history.runs.size() > 1) text += ", resumed " + counted(history.runs.size() - 1, "time");
    text += "\n";
    if (history.torn_bytes != 0)
        text += "the last record is torn: " + counted(history.torn_bytes, "byte") + "\n";
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
    std::string text =
        "function            done    cached  failed  interrupted  seconds   longest\n";
    for (auto& [function, sum] : sums)
        text += printed("%-20s%-8" PRIu64 "%-8" PRIu64 "%-8" PRIu64 "%-13" PRIu64 "%-10.3f%.3f\n",
                        function.c_str(), sum.tasks["done"], sum.tasks["cached"],
                        sum.tasks["failed"], sum.tasks["interrupted"], sum.seconds, sum.longest);
    return text;
}

std::string line_of(const TaskRecord& task, bool why) {
    std::string text = clock_text(task.began, "%H:%M:%S") +
                       printed("  %-12s%-12s%-24s", task.state.c_str(),
                               printed("%.3f s", task.seconds).c_str(), task.place.c_str()) +
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
