#include "verify/metric_errors.hpp"

#include "generate/call_text.hpp"
#include "generate/generate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace refrain::proxy {
namespace {

/// A call as both recordings have it: a receive from any source is the exact one that the proxy makes.
std::vector<std::string> call_names(const Recording& recording, std::int64_t tag) {
    std::vector<std::string> names;
    for (const Event& event : recording.events) {
        Event exact = pinned(event, tag);
        if (exact.function != Function::by_name)
            for (const Argument& each : arguments_of(exact))
                if (each.parameter != nullptr && each.parameter->kind == Kind::newreceive_)
                    exact.values[each.begin + 1] = exact.values[each.begin + 2] = 0;
        names.push_back(describe(exact, recording.texts, true));
    }
    return names;
}

using Key = std::pair<std::string, std::string>;

Key key_of(const std::vector<std::string>& names, const Recording::MergedWork& work) {
    return {work.before == Work::start ? std::string() : names[work.before], names[work.after]};
}

struct Pair {
    Counts original{}, proxy{};
};

double off(std::uint64_t original, std::uint64_t proxy) {
    return std::abs(static_cast<double>(original) - static_cast<double>(proxy));
}

/// Of the parts of computations (parts_of) that `counts(part)` says.
template <class Chosen>
std::vector<MetricError> errors_of(const Recording& original, const Recording& proxy,
                                   const Chosen& counts) {
    const std::int64_t tag = unused_tag(original);
    std::vector<Pair> ranks(original.size());
    std::map<std::tuple<Key, std::uint32_t, std::size_t>, Pair> events;
    for (const bool first : {true, false}) {
        const Recording& recording = first ? original : proxy;
        const std::vector<std::string> names = call_names(recording, tag);
        for (const Recording::MergedWork& work : recording.work)
            for (const Recording::RankWork& rank : work.ranks) {
                if (rank.rank >= ranks.size()) continue;
                const std::vector<Counts> parts = parts_of(rank.counts, rank.team_counts);
                for (std::size_t part = 0; part < parts.size(); ++part) {
                    if (!counts(part)) continue;
                    Pair& event = events[{key_of(names, work), rank.rank, part}];
                    add(first ? event.original : event.proxy, parts[part]);
                    add(first ? ranks[rank.rank].original : ranks[rank.rank].proxy, parts[part]);
                }
            }
    }
    std::vector<MetricError> errors;
    for (std::size_t metric = 0; metric < metric_count; ++metric) {
        MetricError error;
        error.name = metric_names[metric];
        double sum = 0;
        for (const Pair& rank : ranks) {
            error.original += static_cast<double>(rank.original[metric]);
            error.proxy += static_cast<double>(rank.proxy[metric]);
            const double one = off(rank.original[metric], rank.proxy[metric]) /
                               std::max(1.0, static_cast<double>(rank.original[metric]));
            sum += one;
            error.worst = std::max(error.worst, one);
        }
        if (error.original == 0) continue;
        error.mean = sum / static_cast<double>(ranks.size());
        for (const auto& [key, event] : events)
            error.per_event += off(event.original[metric], event.proxy[metric]);
        error.per_event /= error.original;
        errors.push_back(error);
    }
    return errors;
}

}  // namespace

std::vector<MetricError> metric_errors(const Recording& original, const Recording& proxy) {
    return errors_of(original, proxy, [](std::size_t) { return true; });
}

std::vector<std::vector<MetricError>> thread_errors(const Recording& original,
                                                    const Recording& proxy) {
    std::size_t threads = 0;
    for (const Recording::MergedWork& work : original.work)
        for (const Recording::RankWork& rank : work.ranks)
            threads = std::max(threads, rank.team_counts.size());
    std::vector<std::vector<MetricError>> errors;
    for (std::size_t thread = 0; thread < threads; ++thread)
        errors.push_back(
            errors_of(original, proxy, [=](std::size_t part) { return part == thread + 1; }));
    return errors;
}

double error_in_all(const std::vector<MetricError>& errors) {
    constexpr double per_event_weight = 0.3;
    double sum = 0, count = 0, instructions = 0;
    for (const MetricError& error : errors) {
        const auto metric = static_cast<std::size_t>(
            std::find(metric_names.begin(), metric_names.end(), error.name) - metric_names.begin());
        if (metric == static_cast<std::size_t>(Metric::instructions)) instructions = error.original;
        if (error.original < rare_share_of_instructions(metric) * instructions) continue;
        sum += error.mean + per_event_weight * error.per_event;
        ++count;
    }
    return count == 0 ? 0 : sum / count;
}

std::vector<std::vector<std::vector<Counts>>> counts_of_proxy(const Recording& original,
                                                              const Recording& proxy) {
    const std::int64_t tag = unused_tag(original);
    const std::vector<std::string> names = call_names(original, tag);
    const std::vector<std::string> proxy_names = call_names(proxy, tag);
    std::map<std::tuple<Key, std::uint32_t, std::size_t>, Pair> events;
    for (const bool first : {true, false}) {
        const Recording& recording = first ? original : proxy;
        for (const Recording::MergedWork& work : recording.work)
            for (const Recording::RankWork& rank : work.ranks) {
                const std::vector<Counts> parts = parts_of(rank.counts, rank.team_counts);
                for (std::size_t part = 0; part < parts.size(); ++part) {
                    Pair& event =
                        events[{key_of(first ? names : proxy_names, work), rank.rank, part}];
                    add(first ? event.original : event.proxy, parts[part]);
                }
            }
    }
    std::vector<std::vector<std::vector<Counts>>> all;
    for (const Recording::MergedWork& work : original.work) {
        std::vector<std::vector<Counts>>& counts = all.emplace_back();
        for (const Recording::RankWork& rank : work.ranks) {
            std::vector<Counts>& mine = counts.emplace_back();
            for (const Counts& each : parts_of(rank.counts, rank.team_counts)) {
                const Pair& event = events[{key_of(names, work), rank.rank, mine.size()}];
                const double share = static_cast<double>(each[0]) /
                                     std::max(1.0, static_cast<double>(event.original[0]));
                Counts& part = mine.emplace_back();
                for (std::size_t i = 0; i < metric_count; ++i)
                    part[i] =
                        static_cast<std::uint64_t>(share * static_cast<double>(event.proxy[i]));
            }
        }
    }
    return all;
}

void add_counts(Recording& timed, const Recording& counted) {
    const std::vector<std::string> timed_names = call_names(timed, 0);
    const std::vector<std::string> counted_names = call_names(counted, 0);
    struct Known {
        Counts counts{};
        TeamCounts team;
    };
    std::map<std::pair<Key, std::uint32_t>, Known> known;
    for (const Recording::MergedWork& work : counted.work)
        for (const Recording::RankWork& rank : work.ranks) {
            Known& sum = known[{key_of(counted_names, work), rank.rank}];
            add(sum.counts, rank.counts);
            add(sum.team, rank.team_counts);
        }
    for (Recording::MergedWork& work : timed.work)
        for (Recording::RankWork& rank : work.ranks) {
            const Known& sum = known[{key_of(timed_names, work), rank.rank}];
            rank.counts = sum.counts;
            rank.team_counts = sum.team;
            rank.team.threads =
                std::max(rank.team.threads, static_cast<std::uint32_t>(sum.team.size()));
        }
    timed.source = Source::time_and_counts;
}

}  // namespace refrain::proxy
