#include "proxy_page/rank_means.hpp"

namespace refrain::proxy {

RankMeans::RankMeans(const Recording& recording)
    : calls_(recording.size()), works_(recording.size()) {
    const auto mean = [](double seconds, std::uint64_t count) {
        return count == 0 ? 0 : seconds / static_cast<double>(count);
    };
    for (std::size_t event = 0; event < recording.rank_times.size(); ++event)
        for (const Recording::RankCalls& rank : recording.rank_times[event])
            calls_[rank.rank][event] = mean(rank.time.seconds, rank.time.count);
    for (const Recording::MergedWork& work : recording.work)
        for (const Recording::RankWork& rank : work.ranks)
            works_[rank.rank][key_of(work.before, work.after)] = mean(rank.seconds, rank.count);
}

RuleTimes::RuleTimes(const Recording& recording, const RuleBook& book, const RankMeans& means,
                     std::uint32_t rank)
    : book_(book), means_(means), rank_(rank), rules_(recording.rules.size(), not_known) {
    for (std::uint32_t rule = 0; rule < recording.rules.size(); ++rule) find(recording, rule);
}

/// Rules lie behind those that use them or before: go down without recursion.
void RuleTimes::find(const Recording& recording, std::uint32_t rule) {
    std::vector<std::uint32_t> stack{rule};
    while (!stack.empty()) {
        const std::uint32_t at = stack.back();
        const std::size_t depth = stack.size();
        if (rules_[at] == not_known)
            for (const strings::Run& run : recording.rules[at])
                if (run.is_rule && rules_[run.symbol] == not_known) stack.push_back(run.symbol);
        if (stack.size() != depth) continue;
        stack.pop_back();
        if (rules_[at] == not_known) rules_[at] = sum(recording.rules[at], whatever);
    }
}

double RuleTimes::sum(std::span<const strings::Run> runs, std::uint32_t before) const {
    double seconds = 0;
    for (const strings::Run& run : runs) {
        seconds += of(run, before);
        before = book_.last_of(run);
    }
    return seconds;
}

double RuleTimes::of(const strings::Run& run, std::uint32_t before) const {
    const std::uint32_t first = book_.first_of(run);
    const double entry = before == whatever ? 0 : means_.work(rank_, before, first);
    const double again = means_.work(rank_, book_.last_of(run), first);
    const auto turns = static_cast<double>(run.count);
    return entry + turns * once(run) + (turns - 1) * again;
}

}  // namespace refrain::proxy
