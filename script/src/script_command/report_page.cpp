#include "script_command/report_page.hpp"

#include "page/json.hpp"
#include "page/slots.hpp"
#include "page/web_files.hpp"
#include "script_command/script_command.hpp"
#include "values/format.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace refrain::script {
namespace {

constexpr std::size_t drawn_max = 20000;  // calls in the page

/// Of the calls of one function at one place.
struct Site {
    std::uint64_t calls = 0, failed = 0;
    double running = 0, queued = 0, waiting = 0, longest = 0;
};
using Sites = std::map<std::pair<std::string, std::string>, Site>;

double run_time(const CallRecord& is) {
    return is.ended - is.began - is.paused;
}

Sites sites_of(const RunResult& result) {
    Sites sites;
    for (const CallRecord& each : result.calls) {
        Site& site = sites[{each.function, each.place}];
        ++site.calls;
        site.failed += each.failed ? 1 : 0;
        site.running += run_time(each);
        site.queued += each.began - each.ready + each.paused;
        site.waiting += each.ready - each.created;
        site.longest = std::max(site.longest, run_time(each));
    }
    return sites;
}

/// The calls that the end of the run has waited for, the first one first. Before a call stands the one that ended last of those
/// that it may have waited for: of all that ended before it was ready, and of its worker's that ended before it began.
std::vector<std::size_t> critical_path(const std::vector<CallRecord>& calls) {
    std::vector<std::size_t> by_end(calls.size());
    std::iota(by_end.begin(), by_end.end(), 0);
    std::ranges::stable_sort(by_end, {}, [&](std::size_t each) { return calls[each].ended; });
    std::ranges::reverse(by_end);
    std::vector<std::size_t> path;
    for (const std::size_t each : by_end) {
        const CallRecord& before = calls[each];
        if (!path.empty()) {
            const CallRecord& next = calls[path.back()];
            const bool made_it_wait = before.ended <= next.ready ||
                                      (before.worker == next.worker && before.ended <= next.began);
            if (!made_it_wait) continue;
        }
        path.push_back(each);
    }
    std::ranges::reverse(path);
    return path;
}

/// "12 calls, which took 3.2 s: simulate (a.swift:4) 3.0 s, ..."
std::string path_text(const RunResult& result) {
    std::map<std::string, double> by_site;
    double whole = 0;
    const std::vector<std::size_t> path = critical_path(result.calls);
    for (const std::size_t each : path) {
        const CallRecord& is = result.calls[each];
        by_site[is.function + " (" + is.place + ")"] += run_time(is);
        whole += run_time(is);
    }
    std::vector<std::pair<double, std::string>> longest;
    for (const auto& [site, time] : by_site) longest.emplace_back(time, site);
    std::ranges::sort(longest, std::greater<>());
    constexpr std::size_t named_max = 3;
    std::string text = counted(path.size(), "call") + ", which took " + duration_text(whole) + ":";
    for (std::size_t i = 0; i < std::min(longest.size(), named_max); ++i)
        text += (i == 0 ? " " : ", ") + longest[i].second + " " + duration_text(longest[i].first);
    return text + (longest.size() > named_max ? ", and others." : ".");
}

}  // namespace

std::string progress_text(const Progress& progress) {
    std::string text = printed("%" PRIu64 " done, %" PRIu32 " running, %" PRIu64 " ready, %" PRIu64
                               " waiting, %" PRIu64 " failed",
                               progress.tasks_done, progress.calls_running, progress.tasks_ready,
                               progress.tasks_waiting, progress.tasks_failed);
    if (progress.calls_cached != 0) text += printed(", %" PRIu64 " cached", progress.calls_cached);
    if (progress.seconds <= 0) return text;
    const double rate = static_cast<double>(progress.tasks_done) / progress.seconds;
    text += printed(", %.0f/s", std::floor(rate));
    // Turns of a loop are ready once its bounds are known; what they will make is not known.
    const double left =
        static_cast<double>(progress.tasks_ready + progress.tasks_waiting) + progress.calls_running;
    if (rate > 0 && left > progress.calls_running)
        text += ", at least " + duration_text(left / rate) + " more";
    return text;
}

std::vector<std::string> summarise(const RunResult& result) {
    std::vector<std::string> words;
    words.push_back(counted(result.tasks_done, "task") + " ran on " +
                    counted(result.workers, "worker") + " in " + duration_text(result.seconds) +
                    "; " + std::to_string(result.calls.size()) +
                    " of them called programs or long functions.");
    if (result.tasks_failed != 0)
        words.push_back(std::to_string(result.tasks_failed) + " failed, and " +
                        std::to_string(result.tasks_skipped) + " did not run because of that.");
    if (result.tasks_waiting != 0)
        words.push_back(counted(result.tasks_waiting, "task") + " waited to the end.");
    if (result.calls_cached != 0)
        words.push_back("Instead of a call, the result of an earlier one was used " +
                        counted(result.calls_cached, "time") + ".");
    if (result.calls_retried != 0)
        words.push_back("Calls were tried again " + counted(result.calls_retried, "time") + ".");
    if (result.calls.empty()) return words;
    words.push_back("The end of the run waited for a chain of " + path_text(result));
    double busy = 0, queued = 0, paused = 0;
    for (const CallRecord& each : result.calls) {
        busy += run_time(each);
        queued += each.began - each.ready;
        paused += each.paused;
    }
    const CallRecord& longest = *std::ranges::max_element(result.calls, {}, run_time);
    const double capacity = result.seconds * result.workers;
    const int percent = capacity > 0 ? static_cast<int>(100 * busy / capacity) : 0;
    words.push_back("The workers were busy with calls for " + std::to_string(percent) +
                    " % of the time.");
    if (percent >= 85)
        words.push_back("The number of workers limited the run: calls waited " +
                        duration_text(queued) + " in all for a free one.");
    else if (run_time(longest) > 0.5 * result.seconds)
        words.push_back("One long call limited the run: " + longest.function + " (" +
                        longest.place + ") took " + duration_text(run_time(longest)) + ".");
    else if (paused > busy)
        words.push_back(
            "Pauses limited the run: before further attempts, and for a share of "
            "@cpus and @memory, calls were held up for " +
            duration_text(paused) + " in all.");
    else if (result.hot_waiters > result.workers && 2 * result.hot_waiters >= result.calls.size())
        words.push_back("One hot variable limited the run: " + std::to_string(result.hot_waiters) +
                        " tasks waited at once for " + result.hot_variable + ".");
    else if (busy / static_cast<double>(result.calls.size()) < 1e-4)
        words.push_back("Small calls limited the run: they took " +
                        duration_text(busy / static_cast<double>(result.calls.size())) +
                        " on average.");
    else
        words.push_back("Too few ready calls limited the run: workers waited for data.");
    return words;
}

std::string report_data(const RunResult& result, const std::string& title) {
    page::JsonWriter json;
    json.begin_object().key("title").value(title).key("seconds").value(result.seconds);
    json.key("workers").value(result.workers).key("done").value(result.tasks_done);
    json.key("failed").value(result.tasks_failed).key("skipped").value(result.tasks_skipped);
    json.key("cached").value(result.calls_cached).key("retried").value(result.calls_retried);
    json.key("waiting").value(result.tasks_waiting).key("words").values(summarise(result));
    json.key("messages").value(result.messages).key("sites").begin_array();
    std::map<std::pair<std::string, std::string>, std::size_t> index;
    for (const auto& [name, site] : sites_of(result)) {
        index.emplace(name, index.size());
        json.begin_object().key("function").value(name.first).key("place").value(name.second);
        json.key("calls").value(site.calls).key("failed").value(site.failed);
        json.key("running").value(site.running).key("queued").value(site.queued);
        json.key("waiting").value(site.waiting).key("longest").value(site.longest).end_object();
    }
    json.end_array().key("path").begin_array();
    for (const std::size_t each : critical_path(result.calls))
        if (each < drawn_max) json.value(each);
    json.end_array().key("calls").begin_array();
    for (std::size_t i = 0; i < std::min(result.calls.size(), drawn_max); ++i) {
        const CallRecord& each = result.calls[i];
        json.begin_array().value(index.at({each.function, each.place})).value(each.worker);
        json.value(each.began).value(each.ended).value(each.failed).end_array();
    }
    json.end_array();
    json.key("leftOut").value(result.calls_left_out + result.calls.size() -
                              std::min(result.calls.size(), drawn_max));
    json.end_object();
    return json.take();
}

std::string trace_text(const RunResult& result) {
    page::JsonWriter json;
    json.begin_object().key("traceEvents").begin_array();
    for (const CallRecord& each : result.calls) {
        json.begin_object().key("ph").value("X").key("pid").value(0);
        json.key("tid").value(each.worker).key("name").value(each.function);
        json.key("ts").value(each.began * 1e6).key("dur").value((each.ended - each.began) * 1e6);
        json.key("args").begin_object().key("line").value(each.place);
        json.key("queued").value(each.began - each.ready).key("paused").value(each.paused);
        json.key("waited for data").value(each.ready - each.created);
        json.key("failed").value(each.failed).end_object().end_object();
    }
    json.end_array().end_object();
    return json.take();
}

std::string report_page(const RunResult& result, const std::string& title) {
    const std::string name = page::escaped_html(title);
    const std::string data = report_data(result, title);
    const std::array<page::Slot, 7> slots = {{{"title", name},
                                              {"page.css", page::page_css},
                                              {"script.css", script_css},
                                              {"data", data},
                                              {"helpers.js", page::helpers_js},
                                              {"chart.js", page::chart_js},
                                              {"script.js", script_js}}};
    return page::filled(script_html, slots);
}

}  // namespace refrain::script
