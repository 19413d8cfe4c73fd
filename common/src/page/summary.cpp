#include "base/text.hpp"
#include "page/run_data.hpp"

#include <algorithm>

namespace refrain::page {
namespace {

using base::duration_text;
using base::printed;

/// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

std::string operations(std::uint64_t count) {
    return grouped(count) + (count == 1 ? " operation" : " operations");
}

/// Never rounds a part up to 100 % or down to 0 %.
std::string percent(std::uint64_t part, std::uint64_t whole) {
    if (part == 0 || whole == 0) return "none";
    if (part == whole) return "all";
    const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return printed("%.1f", std::clamp(share, 0.1, 99.9)) + " %";
}

/// Those that launched something of interest.
std::string launch_sites(const RunData& run) {
    const auto sites = std::count_if(run.sites.begin(), run.sites.end(),
                                     [](const auto& site) { return site.operations != 0; });
    return grouped(static_cast<std::uint64_t>(sites)) +
           (sites == 1 ? " launch site" : " launch sites");
}

std::string sentence_on_run(const RunData& run) {
    if (run.from_stream)
        return "The log has " + operations(run.operations) + ", from " + launch_sites(run) + ".";
    return "The program launched " + operations(run.operations) + " (" + grouped(run.tasks) +
           " tasks) from " + launch_sites(run) + " in " + duration_text(run.seconds) + ".";
}

std::string sentence_on_loops(const RunData& run) {
    if (run.replayed == 0) return "Nothing was replayed.";
    std::string text =
        "Of these, " + percent(run.replayed, run.operations) +
        " were replayed with the dependences of an earlier operation in the same context";
    if (run.first_replay != 0) text += ", from operation " + grouped(run.first_replay) + " on";
    text += ".";
    const auto most = std::max_element(
        run.loops.begin(), run.loops.end(),
        [](const LoopRecord& a, const LoopRecord& b) { return a.served < b.served; });
    if (most != run.loops.end())
        text += " The loop that repeated most has " + operations(most->distance) +
                " and makes up " + percent(most->served, run.replayed) + " of what was replayed.";
    return text;
}

std::string sentence_on_repeats(const RunData& run) {
    if (run.from_precedents) return sentence_on_loops(run);
    if (run.replayed == 0)
        return run.recorded == 0 ? "Nothing was traced."
                                 : "Traces were recorded, but none was replayed.";
    std::string text =
        "Of these, " + percent(run.replayed, run.operations) + " were replayed from traces";
    if (run.first_replay != 0)
        text += "; the first one was replayed at operation " + grouped(run.first_replay);
    text += ".";
    const auto most = std::max_element(
        run.traces.begin(), run.traces.end(),
        [](const TraceRecord& a, const TraceRecord& b) { return a.replayed < b.replayed; });
    if (most != run.traces.end() && most->replayed != 0)
        text += " The fragment that repeated most has " + operations(most->length) + ", ran " +
                grouped(most->executions) + " times and makes up " +
                percent(most->replayed, run.replayed) + " of what was replayed.";
    return text;
}

std::string sentence_on_savings(const RunData& run) {
    if (run.replayed == 0 || run.analysis_ns <= 0 || run.replay_ns <= 0) return {};
    const double saved =
        (run.analysis_ns - run.replay_ns) * static_cast<double>(run.replayed) * 1e-9;
    std::string text =
        "Finding the dependences of an operation took " + printed("%.0f ns", run.analysis_ns) +
        " by analysis and " + printed("%.0f ns", run.replay_ns) +
        (run.from_precedents ? " from a precedent" : " from a trace") + " (medians of samples)";
    if (saved <= 0) return text + ". Replaying saved no time here.";
    return text + ". Replaying saved about " + duration_text(saved) + " of analysis.";
}

std::string sentence_on_not_replayed(const RunData& run) {
    const std::uint64_t rest = run.recorded + run.analysed;
    if (rest == 0) return {};
    std::array<std::uint64_t, not_replayed_count> reasons{};
    for (const LaunchSiteReport& site : run.sites)
        for (std::size_t i = 0; i < not_replayed_count; ++i) reasons[i] += site.reasons[i];
    std::array<std::size_t, not_replayed_count> order{};
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return reasons[a] > reasons[b]; });
    std::string text = operations(rest) + (rest == 1 ? " was" : " were") + " not replayed:";
    const char* before = " ";
    for (const std::size_t reason : order) {
        if (reasons[reason] == 0) break;
        text += before + grouped(reasons[reason]) + " (" +
                describe(static_cast<NotReplayed>(reason)) + ")";
        before = ", ";
    }
    return text + ".";
}

std::string sentence_on_failures(const RunData& run) {
    const std::uint64_t threw = run.failures.threw_tasks();
    const std::uint64_t skipped = run.failures.skipped_tasks();
    if (threw == 0) return {};
    std::string text = grouped(threw) + (threw == 1 ? " task threw" : " tasks threw");
    if (skipped == 0) return text + "; none was skipped because of that.";
    return text + "; " + grouped(skipped) +
           (skipped == 1 ? " task that needed " : " tasks that needed ") +
           (threw == 1 ? "its" : "their") + " results " + (skipped == 1 ? "was" : "were") +
           " skipped.";
}

std::string sentence_on_time(const RunData& run) {
    double whole = 0;
    std::size_t most = 0;
    for (std::size_t id = 0; id < run.site_times.size(); ++id) {
        whole += run.site_times[id].seconds;
        if (run.site_times[id].seconds > run.site_times[most].seconds) most = id;
    }
    if (whole == 0) return {};
    const SiteTime& time = run.site_times[most];
    return printed("%.1f", 100 * time.seconds / whole) + " % of the time of all tasks went to " +
           run.sites[most].site.describe() + ", which makes up " +
           printed("%.1f", 100 * time.path_share) + " % of the critical path.";
}

}  // namespace

const char* name_of(Stage stage) {
    static constexpr const char* names[] = {"launch",           "matching", "analysis", "recording",
                                            "replay",           "linking",  "mining",   "execution",
                                            "scheduling, idle", "program"};
    return names[static_cast<std::size_t>(stage)];
}

std::vector<std::string> summarise(const RunData& run) {
    std::vector<std::string> sentences{sentence_on_run(run)};
    if (run.operations == 0) return sentences;
    for (std::string (*part)(const RunData&) :
         {sentence_on_failures, sentence_on_repeats, sentence_on_savings, sentence_on_not_replayed,
          sentence_on_time}) {
        std::string text = part(run);
        if (!text.empty()) sentences.push_back(std::move(text));
    }
    if (run.without_token != 0)
        sentences.push_back("A further " + operations(run.without_token) +
                            (run.without_token == 1 ? " has" : " have") +
                            " no token: in traces of the program's own, or not traceable.");
    if (run.mismatches != 0)
        sentences.push_back("Traces were left " + grouped(run.mismatches) +
                            " times because a launch differed from the recording.");
    if (run.automatic && run.held_back_mean > 0)
        sentences.push_back("On average, an operation was held back for " +
                            printed("%.1f", run.held_back_mean) +
                            " further launches, while it could still become part of a trace.");
    return sentences;
}

}  // namespace refrain::page
