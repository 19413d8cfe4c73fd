#include "proxy_page/summary.hpp"

#include "generate/call_text.hpp"
#include "generate/generate.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

namespace refrain::proxy {
namespace {

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

std::string count_of(std::uint64_t number, const char* one, const char* many) {
    return grouped(number) + " " + (number == 1 ? one : many);
}

std::string decimal(double value, const char* unit) {
    char text[48];
    std::snprintf(text, sizeof text, "%.3g %s", value, unit);
    return text;
}

std::string time_text(double seconds) {
    if (seconds < 1e-3) return decimal(seconds * 1e6, "us");
    return seconds < 1 ? decimal(seconds * 1e3, "ms") : decimal(seconds, "s");
}

std::string bytes_text(std::uint64_t bytes) {
    const double value = static_cast<double>(bytes);
    if (bytes < 10000) return grouped(bytes) + " bytes";
    return bytes < 10000000 ? decimal(value / 1e3, "kB") : decimal(value / 1e6, "MB");
}

/// "10 x (8 x Isend, Waitall), Allreduce": a rule in words, two levels deep.
std::string contents(const Recording& recording, const std::vector<strings::Run>& runs, int depth) {
    std::string text;
    std::size_t shown = 0;
    for (const strings::Run& run : runs) {
        if (++shown > 12) {
            text += ", ...";
            break;
        }
        if (!text.empty()) text += ", ";
        if (run.count > 1) text += grouped(run.count) + " x ";
        if (!run.is_rule)
            text += info(recording.events[run.symbol].function).name;
        else if (depth == 0)
            text += "(...)";
        else
            text += "(" + contents(recording, recording.rules[run.symbol], depth - 1) + ")";
    }
    return text;
}

/// The repeated run of a thread's main rule that makes most calls.
std::string largest_loop(const Recording& recording, std::uint64_t calls) {
    const auto lengths = strings::expanded_lengths(recording.rules);
    const MergedRun* best = nullptr;
    std::uint64_t best_calls = 0;
    for (std::uint32_t thread = 0; thread <= recording.threads.size(); ++thread)
        for (const MergedRun& run : recording.main_of(thread)) {
            if (run.run.count < 2) continue;
            const std::uint64_t made =
                run.run.count * (run.run.is_rule ? lengths[run.run.symbol] : 1) * run.ranks.size();
            if (made <= best_calls) continue;
            best = &run;
            best_calls = made;
        }
    if (best == nullptr) return {};
    const std::string ranks = best->ranks.size() == recording.size()
                                  ? "all ranks"
                                  : count_of(best->ranks.size(), "rank", "ranks");
    const std::string body = best->run.is_rule
                                 ? contents(recording, recording.rules[best->run.symbol], 2)
                                 : info(recording.events[best->run.symbol].function).name;
    return "Its largest loop makes " +
           std::to_string(100 * best_calls / std::max<std::uint64_t>(calls, 1)) +
           " % of the calls: " + grouped(best->run.count) + " times " + ranks +
           (best->ranks.size() == 1 && recording.size() != 1 ? " does " : " do ") + body + ".";
}

void add_pairs(Summary& summary, std::uint32_t from, const std::string& counts) {
    std::istringstream in(counts);
    for (std::string line; std::getline(in, line);) {
        Summary::Pair pair;
        pair.from = from;
        unsigned to = 0;
        unsigned long long calls = 0, bytes = 0;
        if (std::sscanf(line.c_str(), "to %u: %llu %llu", &to, &calls, &bytes) != 3) continue;
        pair.to = to, pair.calls = calls, pair.bytes = bytes;
        summary.pairs.push_back(pair);
    }
}

/// Bytes of the messages that an event received.
std::vector<std::int64_t> received(const Event& event) {
    std::vector<std::int64_t> sizes;
    const std::vector<Role> all = roles(event);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] == Role::bytes && event.values[i] > 0) sizes.push_back(event.values[i]);
    return sizes;
}

TeamWork team_of(const Recording& recording) {
    TeamWork all;
    for (const Recording::MergedWork& work : recording.work)
        for (const Recording::RankWork& rank : work.ranks) all.add(rank.team);
    return all;
}

void describe_run(const Recording& recording, Summary& summary) {
    auto& words = summary.words;
    double wall = 0, work = 0, within = 0;
    for (const auto& rank : summary.ranks) {
        wall = std::max(wall, rank.wall);
        work += rank.work / static_cast<double>(summary.ranks.size());
    }
    for (const auto& function : summary.functions)
        if (!function.name.starts_with("MPI_Init"))
            within += function.seconds / static_cast<double>(summary.ranks.size());
    words.push_back("The program ran on " + count_of(recording.size(), "rank", "ranks") + " with " +
                    recording.library + " for " + time_text(wall) + " and made " +
                    count_of(summary.calls, "call", "calls") + " of " +
                    count_of(summary.functions.size(), "function", "functions") + ".");
    std::uint64_t elsewhere = 0;
    std::uint32_t threads = 1;
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        threads = std::max(threads, recording.events[i].thread + 1);
        if (recording.events[i].thread != 0) elsewhere += recording.times[i].count;
    }
    if (threads > 1)
        words.push_back("Up to " + std::to_string(threads) + " threads of a rank called MPI at " +
                        "once; " + count_of(elsewhere, "call", "calls") +
                        " came from others than the one that began it.");
    if (const TeamWork team = team_of(recording); team.threads > 1)
        words.push_back("Teams of up to " + std::to_string(team.threads) +
                        " OpenMP threads computed for " +
                        time_text(team.seconds / static_cast<double>(summary.ranks.size())) +
                        " of that of a rank, on average.");
    if (const std::string loop = largest_loop(recording, summary.calls); !loop.empty())
        words.push_back(loop);
    words.push_back("A rank computed for " + time_text(work) +
                    " between calls and was within calls for " + time_text(within) +
                    ", on average.");
    std::uint64_t messages = 0, bytes = 0;
    const Summary::Pair* heaviest = nullptr;
    for (const Summary::Pair& pair : summary.pairs) {
        messages += pair.calls;
        bytes += pair.bytes;
        if (heaviest == nullptr || pair.bytes > heaviest->bytes) heaviest = &pair;
    }
    if (heaviest != nullptr)
        words.push_back("Ranks sent each other " + count_of(messages, "message", "messages") +
                        " with " + bytes_text(bytes) + ", between " +
                        count_of(summary.pairs.size(), "pair", "pairs") + " of ranks; most from " +
                        std::to_string(heaviest->from) + " to " + std::to_string(heaviest->to) +
                        ".");
    if (!recording.launch.words.empty()) {
        std::string command;
        for (const std::string& word : recording.launch.words)
            command += (command.empty() ? "" : " ") + word;
        words.push_back("The file names the command: " + command);
    }
}

void describe_limits(const Recording& recording, std::uint64_t wildcards, std::uint64_t polls,
                     Summary& summary) {
    for (const std::string& obstacle : obstacles(recording))
        summary.limits.push_back("No proxy can be made: " + obstacle + ".");
    if (wildcards != 0)
        summary.limits.push_back(
            count_of(wildcards, "receive or probe", "receives and probes") +
            " from any source or with any tag: a proxy gets the recorded match.");
    if (polls != 0)
        summary.limits.push_back(count_of(polls, "test or probe", "tests and probes") +
                                 " answered no: a proxy asks, and gets the recorded answer.");
    summary.limits.push_back(
        "Work is repeated as processor time of this machine, the mean of all work between the same "
        "two "
        "calls of a rank; not as instructions or memory accesses.");
    for (const std::string& note : recording.notes)
        summary.limits.push_back("Recording: " + note + ".");
}

}  // namespace

Summary summarise(const Recording& recording) {
    Summary summary;
    summary.ranks.resize(recording.size());
    std::vector<std::uint64_t> counts(recording.events.size(), 0);
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
        summary.ranks[rank].wall = recording.ranks[rank].wall_seconds;
        const auto mine = recording.event_counts(rank);
        for (std::size_t i = 0; i < mine.size(); ++i) counts[i] += mine[i];
        if (rank < recording.counts.size()) add_pairs(summary, rank, recording.counts[rank]);
    }
    for (const Recording::MergedWork& work : recording.work)
        for (const Recording::RankWork& rank : work.ranks)
            summary.ranks[rank.rank].work += rank.seconds;
    std::map<std::string, Summary::FunctionUse> functions;
    std::map<std::uint64_t, std::uint64_t> sizes;
    std::uint64_t wildcards = 0, polls = 0;
    std::map<std::pair<std::string, std::string>, std::uint64_t> places;
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        const Event& event = recording.events[i];
        std::string name = std::string("MPI_") + info(event.function).name;
        if (event.function == Function::by_name)
            name = recording.texts[static_cast<std::size_t>(event.values[0])];
        auto& function = functions[name];
        function.name = name;
        function.calls += counts[i];
        function.seconds += recording.times[i].seconds;
        summary.calls += counts[i];
        if (event.site != 0) places[{recording.place_of(event), name}] += counts[i];
        if (is_wildcard(event)) wildcards += counts[i];
        const auto flag = values_of(event, Kind::oflag_);
        if (!flag.empty() && flag[0] == 0) polls += counts[i];
        for (const std::int64_t bytes : received(event)) {
            std::uint64_t most = 1;
            while (most < static_cast<std::uint64_t>(bytes)) most *= 2;
            sizes[most] += counts[i];
        }
    }
    for (auto& [name, function] : functions) summary.functions.push_back(function);
    std::stable_sort(summary.functions.begin(), summary.functions.end(),
                     [](const auto& a, const auto& b) { return a.calls > b.calls; });
    for (const auto& [place, calls] : places)
        summary.places.push_back({place.first, place.second, calls});
    std::stable_sort(summary.places.begin(), summary.places.end(),
                     [](const auto& a, const auto& b) { return a.calls > b.calls; });
    for (const auto& [most, messages] : sizes) summary.sizes.push_back({most, messages});
    describe_run(recording, summary);
    describe_limits(recording, wildcards, polls, summary);
    return summary;
}

}  // namespace refrain::proxy
