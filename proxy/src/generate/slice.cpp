#include "generate/slice.hpp"

#include "generate/loops.hpp"
#include "generate/rule_book.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

namespace refrain::proxy {
namespace {

using strings::Run;

constexpr const char* slice_note = "a slice: ";

const Loop& find_phase(const std::vector<Loop>& loops, const std::string& name) {
    std::string names;
    const Loop* found = nullptr;
    std::size_t phases = 0;
    for (const Loop& loop : loops) {
        if (!loop.top) continue;
        ++phases;
        names += "\n  " + loop.name + ": " + std::to_string(loop.times) + " x " + loop.contents;
        if (loop.name == name || name.empty()) found = &loop;
    }
    if (phases == 0)
        throw std::runtime_error("this run has no phase: no loop that all ranks make together");
    if (found == nullptr)
        throw std::runtime_error("there is no phase '" + name + "'; the phases are:" + names);
    if (name.empty() && phases > 1)
        throw std::runtime_error("which phase is meant? The phases are:" + names);
    return *found;
}

/// Rules that runs lead to.
std::vector<bool> reached(const Recording& recording, const std::vector<Run>& from) {
    std::vector<bool> rules(recording.rules.size(), false);
    std::vector<std::uint32_t> stack;
    const auto push = [&](const Run& run) {
        if (!run.is_rule || rules[run.symbol]) return;
        rules[run.symbol] = true;
        stack.push_back(run.symbol);
    };
    for (const Run& run : from) push(run);
    while (!stack.empty()) {
        const std::uint32_t rule = stack.back();
        stack.pop_back();
        for (const Run& run : recording.rules[rule]) push(run);
    }
    return rules;
}

/// Keeps the work between events that follow each other within the phase.
void keep_work(Recording& recording, const std::vector<Run>& phase) {
    const RuleBook book(recording);
    std::set<std::pair<std::uint32_t, std::uint32_t>> kept;
    const auto follow = [&](const std::vector<Run>& runs) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (runs[i].count > 1) kept.emplace(book.last_of(runs[i]), book.first_of(runs[i]));
            if (i > 0) kept.emplace(book.last_of(runs[i - 1]), book.first_of(runs[i]));
        }
    };
    for (const Run& run : phase) follow({run});
    const std::vector<bool> rules = reached(recording, phase);
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
        if (rules[rule]) follow(recording.rules[rule]);
    std::erase_if(recording.work, [&](const Recording::MergedWork& work) {
        return !kept.contains({work.before, work.after});
    });
}

/// Leaves out rules and events that nobody comes to any more.
void drop_unused(Recording& recording) {
    std::vector<Run> main;
    for (const MergedRun& run : recording.main) main.push_back(run.run);
    const std::vector<bool> rules = reached(recording, main);
    std::vector<bool> events(recording.events.size(), false);
    const auto mark = [&](const std::vector<Run>& runs) {
        for (const Run& run : runs)
            if (!run.is_rule) events[run.symbol] = true;
    };
    mark(main);
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
        if (rules[rule]) mark(recording.rules[rule]);
    const auto number = [](const std::vector<bool>& kept) {
        std::vector<std::uint32_t> numbers;
        std::uint32_t next = 0;
        for (const bool keep : kept) numbers.push_back(keep ? next++ : 0);
        return numbers;
    };
    const auto keep = [](auto& all, const std::vector<bool>& kept) {
        std::size_t at = 0;
        std::erase_if(all, [&](const auto&) { return !kept[at++]; });
    };
    const std::vector<std::uint32_t> new_rule = number(rules), new_event = number(events);
    keep(recording.rules, rules);
    keep(recording.events, events);
    keep(recording.times, events);
    keep(recording.rank_times, events);
    const auto renumber = [&](Run& run) {
        run.symbol = run.is_rule ? new_rule[run.symbol] : new_event[run.symbol];
    };
    for (auto& rule : recording.rules)
        for (Run& run : rule) renumber(run);
    for (MergedRun& run : recording.main) renumber(run.run);
    for (Recording::MergedWork& work : recording.work) {
        work.before = work.before == Work::start ? work.before : new_event[work.before];
        work.after = new_event[work.after];
    }
}

/// How often each call is made now, and its share of the time and of the work before it.
void count_anew(Recording& recording) {
    std::vector<std::uint64_t> counts(recording.events.size(), 0);
    std::vector<std::size_t> next_rank(recording.events.size(), 0);
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
        const auto mine = recording.event_counts(rank);
        recording.ranks[rank].events = 0;
        for (std::size_t i = 0; i < mine.size(); ++i) {
            counts[i] += mine[i];
            recording.ranks[rank].events += mine[i];
            auto& ranks = recording.rank_times[i];
            if (next_rank[i] == ranks.size() || ranks[next_rank[i]].rank != rank) continue;
            CallTime& time = ranks[next_rank[i]++].time;
            if (time.count != 0)
                time.seconds *= static_cast<double>(mine[i]) / static_cast<double>(time.count);
            time.count = mine[i];
        }
    }
    std::vector<std::uint64_t> counts_before;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        CallTime& time = recording.times[i];
        counts_before.push_back(time.count);
        time = {};
        for (const Recording::RankCalls& rank : recording.rank_times[i]) time.add(rank.time);
        time.count = counts[i];
    }
    // Means stay what they are.
    for (Recording::MergedWork& work : recording.work)
        for (Recording::RankWork& rank : work.ranks) {
            const auto before = static_cast<double>(counts_before[work.after]);
            if (rank.count == 0 || before == 0) continue;
            // Divided last, here and below: a third of 99 is 33, and not a little less.
            const double part =
                static_cast<double>(counts[work.after]) * static_cast<double>(rank.count) / before;
            const double times = std::max(1.0, std::floor(part));
            const auto executions = static_cast<double>(rank.count);
            rank.count = static_cast<std::uint64_t>(times);
            rank.seconds = rank.seconds * times / executions;
            rank.team.seconds = rank.team.seconds * times / executions;
            const auto scale = [&](Counts& all) {
                for (std::uint64_t& count : all)
                    count =
                        static_cast<std::uint64_t>(static_cast<double>(count) * times / executions);
            };
            scale(rank.counts);
            std::for_each(rank.team_counts.begin(), rank.team_counts.end(), scale);
        }
}

}  // namespace

Recording slice(const Recording& recording, const std::string& phase, Iterations iterations) {
    const std::vector<Loop> loops = common_loops(recording);
    const Loop& chosen = find_phase(loops, phase);
    const std::uint64_t last =
        iterations.last == ~std::uint64_t{0} ? chosen.times : iterations.last;
    if (iterations.first == 0 || iterations.first > last || last > chosen.times)
        throw std::runtime_error("iterations " + std::to_string(iterations.first) + ".." +
                                 std::to_string(last) + ": phase '" + chosen.name + "' has 1.." +
                                 std::to_string(chosen.times));
    Recording part = recording;
    const auto is_of = [](const Loop& loop, std::size_t index) {
        return std::binary_search(loop.places.begin(), loop.places.end(),
                                  RunPlace{RunPlace::main_rule, index});
    };
    std::vector<Run> repeated;
    part.main.clear();
    for (std::size_t i = 0; i < recording.main.size(); ++i) {
        MergedRun run = recording.main[i];
        const bool other = std::any_of(loops.begin(), loops.end(), [&](const Loop& loop) {
            return loop.top && &loop != &chosen && is_of(loop, i);
        });
        if (other) continue;
        if (is_of(chosen, i)) {
            run.run.count = last - iterations.first + 1;
            repeated.push_back(run.run);
        }
        part.main.push_back(std::move(run));
    }
    keep_work(part, repeated);
    drop_unused(part);
    count_anew(part);
    part.counts.clear();
    part.notes.push_back(slice_note + std::string("iterations ") +
                         std::to_string(iterations.first) + " to " + std::to_string(last) + " of " +
                         chosen.name);
    return part;
}

bool is_slice(const Recording& recording) {
    return std::any_of(recording.notes.begin(), recording.notes.end(),
                       [](const std::string& note) { return note.starts_with(slice_note); });
}

}  // namespace refrain::proxy
