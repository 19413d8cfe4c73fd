#include "workers/run_outcome.hpp"

#include "values/text.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace refrain::script {

void RunOutcome::add(engine::RankReport report) {
    tally.add(report.tally);
    const auto append = [](auto& to, auto& from) {
        to.insert(to.end(), std::make_move_iterator(from.begin()),
                  std::make_move_iterator(from.end()));
    };
    append(failures, report.failures);
    append(skipped, report.skipped);
    append(waiting, report.waiting);
    append(waited_for, report.waited_for);
    append(unfinished, report.unfinished);
    append(temporary_files, report.temporary_files);
    append(left, report.left);
    if (report.hottest.waiters > hottest.waiters) hottest = std::move(report.hottest);
    append(calls.spans, report.calls.spans);
    calls.left_out += report.calls.left_out;
    messages += report.messages;
    live_data += report.live_data;
    tally_of_calls.add(report.tally_of_calls);
    stopped |= report.stopped;
}

void RunOutcome::finish(const Sources& sources) {
    const auto place = [](const engine::Failure& each) { return std::tie(each.at, each.text); };
    std::ranges::sort(failures, {}, place);
    std::ranges::sort(skipped, {}, place);
    if (stopped) waiting.clear();
    if (!waiting.empty()) waiting_text = explain_waiting(waiting, waited_for, sources);
}

engine::RankReport report_of(engine::Engine& engine, Calls& calls, bool run_stopped) {
    engine::RankReport made;
    made.tally = engine.tally();
    made.failures = engine.take_errors();
    made.skipped = engine.take_skipped();
    // Nobody may wait for what was cut off.
    made.stopped = run_stopped || !engine.stopped() || !calls.cut_off.empty();
    for (engine::Failure& each : calls.cut_off) made.unfinished.emplace_back(std::move(each), 1);
    if (made.stopped) {
        for (auto& each : engine.unfinished()) made.unfinished.push_back(std::move(each));
    } else {
        made.waiting = engine.waiting_tasks();
        made.waited_for = engine.descriptions();
    }
    made.calls = std::move(calls.spans);
    made.live_data = engine.store().size();
    made.hottest = engine.store().hottest();
    if (setting("ADLB_REPORT_LEAKS", "0") != "0") made.left = engine.store().left();
    return made;
}

namespace {

std::string with_count(const std::string& task, std::uint64_t count) {
    return task + (count == 1 ? "" : " (" + counted(count, "task") + ")") + "\n";
}

}  // namespace

std::string failure_text(const RunOutcome& outcome, const Sources& sources) {
    std::string text;
    const auto error_of = [&](const engine::Failure& each) {
        return "error: " + (each.at.line == 0 ? "" : sources.text(each.at) + ": ") + each.text;
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
