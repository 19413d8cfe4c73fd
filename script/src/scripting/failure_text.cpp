#include "scripting/failure_text.hpp"

#include <map>

namespace refrain::script {
namespace {

std::string with_count(const std::string& task, std::uint64_t count) {
    return task + (count == 1 ? "" : " (" + std::to_string(count) + " tasks)") + "\n";
}

}  // namespace

std::string failure_text(const RunOutcome& outcome, const Sources& sources) {
    std::string text;
    const auto error_of = [&](const engine::Failure& each) {
        return "error: " + sources.text(each.at) + ": " + each.text;
    };
    std::map<std::string, std::uint64_t> failed;
    for (const engine::Failure& each : outcome.failures) ++failed[error_of(each)];
    for (const engine::Failure& each : outcome.failures)
        if (const auto found = failed.extract(error_of(each))) {
            const bool apart = found.mapped() != 1 && found.key().find('\n') != std::string::npos;
            text += with_count(found.key() + (apart ? "\n " : ""), found.mapped());
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
