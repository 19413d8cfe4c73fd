#include "workers/run_outcome.hpp"

#include "values/text.hpp"
#include "workers/waiting_text.hpp"

#include <algorithm>
#include <iterator>
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

}  // namespace refrain::script
