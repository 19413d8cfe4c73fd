#include "merge/consistent.hpp"

#include "merge/execution.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace refrain::proxy {
namespace {

std::uint64_t length_of(const RankRecording& recording) {
    return strings::expanded_lengths(recording.grammar)[0];
}

constexpr std::size_t ranks_told = 8;

bool has_threads(const std::vector<RankRecording>& ranks) {
    return std::any_of(ranks.begin(), ranks.end(),
                       [](const RankRecording& rank) { return !rank.threads.empty(); });
}

}  // namespace

ConsistentPart consistent_part(const std::vector<RankRecording>& ranks) {
    Execution run(ranks);
    // A call that is cut off takes back what it sent, so ranks that needed that are cut as well.
    std::vector<std::pair<std::size_t, std::uint64_t>> cuts;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        cuts.emplace_back(rank, run.processes[rank].done());
    while (!cuts.empty()) {
        const auto [rank, calls] = cuts.back();
        cuts.pop_back();
        run.processes[rank].keep(calls, [&](std::size_t other, std::uint64_t at) {
            if (at < run.processes[other].done()) cuts.emplace_back(other, at);
        });
    }
    ConsistentPart part;
    for (const RankExecution& process : run.processes) part.events.push_back(process.done());
    part.not_followed = run.world.not_followed;
    return part;
}

std::vector<std::string> gaps_of(const std::vector<RankRecording>& ranks) {
    if (has_threads(ranks))
        return {
            "several threads called MPI at once: whether a part of what they did can happen "
            "alone is not known; record the whole run"};
    const Execution run(ranks);
    // A collective call waits for others that wait for a message: that is the reason.
    for (const bool for_all : {false, true})
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const RankExecution& process = run.processes[rank];
            if (process.at_end()) continue;
            const Event& event = ranks[rank].events[process.waits_in()];
            if (info(event.function).collective != for_all) continue;
            return {
                "call " + std::to_string(process.done() + 1) + " of rank " + std::to_string(rank) +
                " waits for what was not recorded: " + describe(event, ranks[rank].texts, false)};
        }
    for (const auto& [key, channel] : run.world.channels)
        if (channel.sent > channel.taken())
            return {"rank " + std::to_string(channel.receiver) + " did not receive within it " +
                    std::to_string(channel.sent - channel.taken()) + " of the messages with tag " +
                    std::to_string(std::get<3>(key)) + " that it was sent"};
    if (run.world.not_followed)
        return {
            "messages within communicators that only some ranks made, or that join two groups, "
            "cannot be followed: nothing shows that all of them are sent and received within it; "
            "record the whole run"};
    return {};
}

std::vector<std::string> cut_to_consistent_part(std::vector<RankRecording>& ranks) {
    const bool complete = std::all_of(ranks.begin(), ranks.end(), [](const RankRecording& rank) {
        return rank.ending == Ending::complete;
    });
    if (complete) return {};
    if (has_threads(ranks))
        return {
            "the run did not end, and several threads called MPI at once: what each left is "
            "kept as it is, also where others lack what it needs"};
    const ConsistentPart part = consistent_part(ranks);
    std::vector<std::string> words{
        "the run did not end: kept is its longest part in which all that is received was sent, and "
        "every collective "
        "call was made by all of its ranks"};
    std::size_t cut = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::uint64_t all = length_of(ranks[rank]);
        if (all != 0 && part.events[rank] == all) continue;
        ranks[rank] = first_calls(ranks[rank], part.events[rank]);
        if (++cut > ranks_told) continue;
        words.push_back("rank " + std::to_string(rank) + ": " +
                        (all == 0 ? std::string("nothing is left of its recording")
                                  : std::to_string(part.events[rank]) + " of " +
                                        std::to_string(all) + " recorded calls are kept"));
    }
    if (cut > ranks_told)
        words.push_back("so it is with " + std::to_string(cut - ranks_told) + " more ranks");
    if (part.not_followed)
        words.emplace_back(
            "messages within communicators that only some ranks made, or that join two groups, "
            "were not followed");
    return words;
}

}  // namespace refrain::proxy
