#include "scripting/failure_text.hpp"

#include <map>
#include <set>

namespace refrain::script {
namespace {

std::string with_count(const std::string& task, std::uint64_t count) {
    return task + (count == 1 ? "" : " (" + std::to_string(count) + " tasks)") + "\n";
}

}  // namespace

std::string failure_text(const RunOutcome& outcome, const Sources& sources) {
    std::string text;
    std::set<std::string> known;
    for (const engine::Failure& each : outcome.failures) {
        const std::string line = "error: " + sources.text(each.at) + ": " + each.text + "\n";
        if (known.insert(line).second) text += line;
    }
    std::map<std::string, std::uint64_t> skipped;
    for (const engine::Failure& each : outcome.skipped)
        ++skipped[sources.text(each.at) + ": " + each.text];
    for (const auto& [task, count] : skipped)
        text += "did not run, because of that: " + with_count(task, count);
    std::map<std::string, std::uint64_t> unfinished;
    for (const auto& [task, count] : outcome.unfinished)
        unfinished[sources.text(task.at) + ": " + task.text] += count;
    if (outcome.stopped) text += "the run was stopped before its end\n";
    for (const auto& [task, count] : unfinished) text += "did not end: " + with_count(task, count);
    if (!outcome.waiting.empty())
        text +=
            "WAITING WORK: " + std::to_string(outcome.waiting.size()) + "\n" + outcome.waiting_text;
    for (const std::string& each : outcome.left) text += each + "\n";
    return text;
}

std::string dry_run_text(const RunOutcome& outcome, const Sources& sources) {
    std::map<std::string, std::uint64_t> unknown;
    for (const auto* list : {&outcome.failures, &outcome.skipped})
        for (const engine::Failure& each : *list) {
            const std::string what = each.text.substr(0, each.text.find(": "));
            ++unknown[sources.text(each.at) + ": " + what];
        }
    std::string text;
    for (const auto& [task, count] : unknown)
        text += "not known before the run: " + with_count(task, count);
    return text;
}

}  // namespace refrain::script
