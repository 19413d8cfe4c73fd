#include "merge/consistent.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace refrain::proxy {
namespace {

using strings::Run;

/// The grammar of the first terminals: what is left of the runs on the way down to the last one, in front of each other.
strings::Grammar first_terminals(const strings::Grammar& grammar, std::uint64_t terminals) {
    const std::vector<std::uint64_t> lengths = strings::expanded_lengths(grammar);
    strings::Grammar first = grammar;
    first[0].clear();
    std::uint32_t rule = 0;
    while (terminals != 0) {
        std::uint32_t deeper = 0;
        for (const Run& run : grammar[rule]) {
            const std::uint64_t each = run.is_rule ? lengths[run.symbol] : 1;
            const std::uint64_t whole = each == 0 ? 0 : std::min(run.count, terminals / each);
            if (whole != 0) first[0].push_back({whole, run.symbol, run.is_rule});
            terminals -= whole * each;
            if (whole == run.count || terminals == 0) continue;
            deeper = run.symbol;
            break;
        }
        if (deeper == 0) break;
        rule = deeper;
    }
    return first;
}

/// The first and the last terminal that each rule expands to. Every rule but 0 has some.
struct Ends {
    explicit Ends(const strings::Grammar& of) : grammar(of) {}

    [[nodiscard]] std::uint32_t first(Run run) const {
        while (run.is_rule) run = grammar[run.symbol].front();
        return run.symbol;
    }
    [[nodiscard]] std::uint32_t last(Run run) const {
        while (run.is_rule) run = grammar[run.symbol].back();
        return run.symbol;
    }
    const strings::Grammar& grammar;
};

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// How often each terminal follows each other one.
std::map<Pair, std::uint64_t> neighbours(const strings::Grammar& grammar,
                                         const std::vector<std::uint64_t>& times) {
    const Ends ends(grammar);
    std::map<Pair, std::uint64_t> count;
    if (!grammar[0].empty()) count[{Work::start, ends.first(grammar[0].front())}] = 1;
    for (std::size_t rule = 0; rule < grammar.size(); ++rule) {
        if (times[rule] == 0) continue;
        const auto& body = grammar[rule];
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (body[i].count > 1)
                count[{ends.last(body[i]), ends.first(body[i])}] +=
                    times[rule] * (body[i].count - 1);
            if (i != 0) count[{ends.last(body[i - 1]), ends.first(body[i])}] += times[rule];
        }
    }
    return count;
}

/// New numbers for what is kept.
struct Renumbering {
    explicit Renumbering(std::size_t size) : numbers(size, 0), kept(size, false) {}

    void finish() {
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < kept.size(); ++i) numbers[i] = kept[i] ? next++ : 0;
    }
    template <class All>
    void keep_in(All& all) const {
        std::size_t at = 0;
        std::erase_if(all, [&](const auto&) { return !kept[at++]; });
    }
    std::vector<std::uint32_t> numbers;
    std::vector<bool> kept;
};

std::uint64_t share_of(std::uint64_t figure, std::uint64_t part, std::uint64_t whole) {
    return static_cast<std::uint64_t>(static_cast<double>(figure) * static_cast<double>(part) /
                                      static_cast<double>(whole));
}

double share_of(double figure, std::uint64_t part, std::uint64_t whole) {
    return figure * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

RankRecording first_calls(const RankRecording& recording, std::uint64_t calls) {
    RankRecording part = recording;
    part.grammar = first_terminals(recording.grammar, calls);
    const std::vector<std::uint64_t> times = strings::expansions(part.grammar);
    Renumbering rules(part.grammar.size()), events(part.events.size());
    std::vector<std::uint64_t> counts(part.events.size(), 0);
    for (std::size_t rule = 0; rule < part.grammar.size(); ++rule) {
        rules.kept[rule] = rule == 0 || times[rule] != 0;
        for (const Run& run : part.grammar[rule])
            if (!run.is_rule) counts[run.symbol] += times[rule] * run.count;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) events.kept[i] = counts[i] != 0;
    rules.finish();
    events.finish();

    const auto follows = neighbours(part.grammar, times);
    part.work.clear();
    for (Work work : recording.work) {
        const auto found = follows.find({work.before, work.after});
        if (found == follows.end() || work.count == 0) continue;
        work.seconds = share_of(work.seconds, found->second, work.count);
        work.team.seconds = share_of(work.team.seconds, found->second, work.count);
        for (std::uint64_t& count : work.counts) count = share_of(count, found->second, work.count);
        for (Counts& thread : work.team_counts)
            for (std::uint64_t& count : thread) count = share_of(count, found->second, work.count);
        work.count = found->second;
        if (work.before != Work::start) work.before = events.numbers[work.before];
        work.after = events.numbers[work.after];
        part.work.push_back(work);
    }
    for (std::size_t i = 0; i < part.times.size() && i < counts.size(); ++i) {
        CallTime& time = part.times[i];
        if (time.count != 0) time.seconds = share_of(time.seconds, counts[i], time.count);
        time.count = counts[i];
    }
    rules.keep_in(part.grammar);
    events.keep_in(part.events);
    part.times.resize(counts.size());
    events.keep_in(part.times);
    for (auto& body : part.grammar)
        for (Run& run : body)
            run.symbol = run.is_rule ? rules.numbers[run.symbol] : events.numbers[run.symbol];
    return part;
}

}  // namespace refrain::proxy
