#include "proxy_page/summary.hpp"

#include "generate/generate.hpp"
#include "generate/polls.hpp"
#include "merge/anonymous.hpp"
#include "proxy_page/words.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
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

/// Three digits, or all of those before the point.
std::string decimal(double value, const char* unit) {
    char text[48];
    std::snprintf(text, sizeof text, value < 999.5 ? "%.3g %s" : "%.0f %s", value, unit);
    return text;
}

std::string time_text(double seconds) {
    if (seconds < 1e-3) return decimal(seconds * 1e6, "us");
    return seconds < 1 ? decimal(seconds * 1e3, "ms") : decimal(seconds, "s");
}

std::string bytes_text(std::uint64_t bytes) {
    const double value = static_cast<double>(bytes);
    if (bytes < 10'000) return grouped(bytes) + " bytes";
    if (bytes < 999'500) return decimal(value / 1e3, "kB");
    return bytes < 999'500'000 ? decimal(value / 1e6, "MB") : decimal(value / 1e9, "GB");
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

/// A loop of main rules: of all ranks whose loops are the same in words.
struct MainLoop {
    std::uint64_t turns = 0;
    std::string body;
    RankSet ranks;
    std::uint64_t calls = 0;  // of all ranks and turns
};

std::string body_of(const Recording& recording, const strings::Run& run) {
    return run.is_rule ? contents(recording, recording.rules[run.symbol], 2)
                       : info(recording.events[run.symbol].function).name;
}

/// The one that makes most calls, of those that have no rank of `others`. Nothing if there is none.
std::optional<MainLoop> largest_loop(const Recording& recording, const RankSet& others) {
    const auto lengths = strings::expanded_lengths(recording.rules);
    const auto calls_of = [&](const MergedRun& run) {
        return run.run.count * (run.run.is_rule ? lengths[run.run.symbol] : 1) * run.ranks.size();
    };
    std::vector<const MergedRun*> loops;
    for (std::uint32_t thread = 0; thread <= recording.threads.size(); ++thread)
        for (const MergedRun& run : recording.main_of(thread))
            if (run.run.count > 1 && !run.ranks.intersects(others)) loops.push_back(&run);
    const auto best = std::max_element(
        loops.begin(), loops.end(), [&](auto* a, auto* b) { return calls_of(*a) < calls_of(*b); });
    if (best == loops.end()) return std::nullopt;
    MainLoop all{(*best)->run.count, body_of(recording, (*best)->run), (*best)->ranks,
                 calls_of(**best)};
    for (const MergedRun* run : loops) {
        if (run->run.count != all.turns || run->ranks.intersects(all.ranks) ||
            body_of(recording, run->run) != all.body)
            continue;
        all.ranks.add(run->ranks);
        all.calls += calls_of(*run);
    }
    return all;
}

/// "98 % of the calls: 10 times ranks 1-3 do Send, Recv."
std::string in_words(const Recording& recording, const MainLoop& loop, std::uint64_t calls) {
    const bool all = loop.ranks.size() == recording.size() && recording.size() != 1;
    return std::to_string(100 * loop.calls / std::max<std::uint64_t>(calls, 1)) +
           " % of the calls: " + grouped(loop.turns) + " times " +
           (all ? "all ranks" : ranks_in_words(loop.ranks)) +
           (loop.ranks.size() == 1 ? " does " : " do ") + loop.body + ".";
}

constexpr int loops_described_max = 3;

/// Ranks that are not in the largest loop have their own.
void describe_loops(const Recording& recording, Summary& summary) {
    RankSet described;
    for (int loops = 0; loops < loops_described_max; ++loops) {
        const std::optional<MainLoop> loop = largest_loop(recording, described);
        if (!loop) return;
        summary.words.push_back(
            (loops == 0 ? "Its largest loop makes " : "The largest loop of other ranks makes ") +
            in_words(recording, *loop, summary.calls));
        described.add(loop->ranks);
    }
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

/// "In them, thread 0 executed 66.7 % of the instructions, thread 1 33.3 %, and the busiest of a team 1.33 times the mean.";
/// empty if teams were not counted.
std::string balance_of_teams(const Recording& recording) {
    constexpr std::size_t threads_named_max = 8;
    constexpr auto instructions = static_cast<std::size_t>(Metric::instructions);
    std::vector<double> of_thread;
    double all = 0, of_busiest = 0, mean = 0;
    for (const Recording::MergedWork& work : recording.work)
        for (const Recording::RankWork& rank : work.ranks) {
            double most = 0, sum = 0;
            if (of_thread.size() < rank.team_counts.size())
                of_thread.resize(rank.team_counts.size(), 0);
            for (std::size_t thread = 0; thread < rank.team_counts.size(); ++thread) {
                const auto mine = static_cast<double>(rank.team_counts[thread][instructions]);
                of_thread[thread] += mine;
                sum += mine;
                most = std::max(most, mine);
            }
            all += sum;
            of_busiest += most;
            mean += sum / std::max(1.0, static_cast<double>(rank.team_counts.size()));
        }
    if (all == 0) return {};
    std::string text = "In them, ";
    for (std::size_t thread = 0; thread < of_thread.size() && thread < threads_named_max; ++thread)
        text += "thread " + std::to_string(thread) + (thread == 0 ? " executed " : " ") +
                decimal(100 * of_thread[thread] / all, "%") +
                (thread == 0 ? " of the instructions, " : ", ");
    return text + "and the busiest of a team " + decimal(of_busiest / mean, "times the mean.");
}

constexpr std::size_t words_shown_max = 3;

/// What else names something: all that `merge --anonymous` leaves out.
void describe_names(const Recording& recording, Summary& summary) {
    const std::vector<std::string> words = words_of_program(recording);
    std::string shown;
    for (std::size_t i = 0; i < std::min(words.size(), words_shown_max); ++i)
        shown += (i == 0 ? "'" : ", '") + words[i] + "'";
    if (!words.empty())
        summary.words.push_back("It has " + count_of(words.size(), "word", "words") +
                                " of the program, of files, hints and the like: " + shown +
                                (words.size() > words_shown_max ? ", ..." : "."));
    if (!recording.sites.empty())
        summary.words.push_back("It has " + count_of(recording.sites.size(), "place", "places") +
                                " where calls are made, as " + describe(recording.sites[0]) + ".");
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
    if (const std::string balance = balance_of_teams(recording); !balance.empty())
        words.push_back(balance);
    describe_loops(recording, summary);
    words.push_back("A rank computed for " + time_text(work) +
                    " between calls and was within calls for " + time_text(within) +
                    ", on average.");
    std::uint64_t messages = 0, bytes = 0;
    for (const Summary::Pair& pair : summary.pairs) {
        messages += pair.calls;
        bytes += pair.bytes;
    }
    if (!summary.pairs.empty()) {
        const auto [lightest, heaviest] = std::minmax_element(
            summary.pairs.begin(), summary.pairs.end(),
            [](const Summary::Pair& a, const Summary::Pair& b) { return a.bytes < b.bytes; });
        words.push_back("Ranks sent each other " + count_of(messages, "message", "messages") +
                        " with " + bytes_text(bytes) + ", between " +
                        count_of(summary.pairs.size(), "pair", "pairs") + " of ranks" +
                        (lightest->bytes == heaviest->bytes
                             ? ", each as much."
                             : "; most from " + std::to_string(heaviest->from) + " to " +
                                   std::to_string(heaviest->to) + "."));
    }
    if (!recording.launch.words.empty()) {
        std::string command;
        for (const std::string& word : recording.launch.words)
            command += (command.empty() ? "" : " ") + word;
        words.push_back("The file names the command: " + command);
    }
    describe_names(recording, summary);
}

void describe_limits(const Recording& recording, std::uint64_t matched, std::uint64_t polls,
                     Summary& summary) {
    for (const std::string& obstacle : obstacles(recording))
        summary.limits.push_back("No proxy can be made: " + obstacle + ".");
    if (matched != 0)
        summary.limits.push_back(
            count_of(matched, "receive or probe", "receives and probes") +
            " from any source or with any tag: a proxy gets the recorded match.");
    if (polls != 0)
        summary.limits.push_back(count_of(polls, "test or probe", "tests and probes") +
                                 " answered no: a proxy asks, and gets the recorded answer.");
    const bool counted =
        recording.source == Source::counts || recording.source == Source::time_and_counts;
    summary.limits.push_back(
        std::string(counted ? "Without `generate --machine`, work" : "Work") +
        " is repeated as processor time of this machine, the mean of all work between the same two "
        "calls of a rank; not as instructions or memory accesses" +
        (counted ? ". With it, near the counts, as far as `verify` says." : "."));
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
    std::uint64_t matched = 0, polls = 0;
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
        if (gets_recorded_match(event)) matched += counts[i];
        if (told_no(event)) polls += counts[i];
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
    describe_limits(recording, matched, polls, summary);
    return summary;
}

}  // namespace refrain::proxy
