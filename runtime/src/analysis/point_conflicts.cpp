#include "analysis/point_conflicts.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace refrain::analysis {
namespace {

using Set = PointSets::Set;

/// Points with equal elements: a range of Grouping::points.
struct Group {
    const data::BoxSet* elements;
    std::uint32_t begin, end;
};
struct Grouping {
    std::vector<Group> groups;
    std::vector<std::uint32_t> points;

    [[nodiscard]] std::span<const std::uint32_t> points_of(const Group& group) const {
        return std::span(points).subspan(group.begin, group.end - group.begin);
    }
};

/// Groups neighbours with equal elements.
Grouping runs_of(const std::vector<Set>& sets) {
    Grouping runs;
    runs.groups.reserve(sets.size());
    runs.points.reserve(sets.size());
    for (const Set& set : sets) {
        const auto at = static_cast<std::uint32_t>(runs.points.size());
        if (runs.groups.empty() || !(*runs.groups.back().elements == *set.elements))
            runs.groups.push_back({set.elements, at, at});
        ++runs.groups.back().end;
        runs.points.push_back(set.point);
    }
    return runs;
}

/// Tiles have no equals, and a set that all points touch is one run: only else groups are more than
/// runs. Groups of equal hash and different elements may stay apart.
Grouping groups_of(const std::vector<Set>& sets) {
    Grouping runs = runs_of(sets);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> by_hash;
    by_hash.reserve(runs.groups.size());
    for (std::uint32_t i = 0; i < runs.groups.size(); ++i)
        by_hash.emplace_back(runs.groups[i].elements->hash(), i);
    std::sort(by_hash.begin(), by_hash.end());
    const auto same_hash = [](const auto& a, const auto& b) { return a.first == b.first; };
    if (std::adjacent_find(by_hash.begin(), by_hash.end(), same_hash) == by_hash.end()) return runs;
    Grouping merged;
    merged.points.reserve(runs.points.size());
    for (const auto& [hash, i] : by_hash) {
        const Group& run = runs.groups[i];
        const auto at = static_cast<std::uint32_t>(merged.points.size());
        if (merged.groups.empty() || !(*merged.groups.back().elements == *run.elements))
            merged.groups.push_back({run.elements, at, at});
        const auto points = runs.points_of(run);
        merged.points.insert(merged.points.end(), points.begin(), points.end());
        merged.groups.back().end = static_cast<std::uint32_t>(merged.points.size());
    }
    return merged;
}

OverlapTree tree_of(const std::vector<Group>& groups) {
    std::vector<const data::BoxSet*> sets;
    sets.reserve(groups.size());
    for (const Group& group : groups) sets.push_back(group.elements);
    return OverlapTree(std::move(sets));
}

/// Whether few points are on one side, so that comparing all costs less than sorting.
bool are_few(const PointSets& earlier, const PointSets& later) {
    constexpr std::size_t few_comparisons = 64, few_points = 2;
    const std::size_t sources = earlier.sets().size(), targets = later.sets().size();
    return std::min(sources, targets) <= few_points || sources * targets <= few_comparisons;
}

/// For few points nothing is grouped or sorted.
graph::EdgeSet compare_all(const PointSets& earlier, const PointSets& later) {
    std::vector<graph::PointPair> pairs;
    for (const Set& source : earlier.sets())
        for (const Set& target : later.sets())
            if (source.elements->overlaps(*target.elements))
                pairs.push_back({source.point, target.point});
    return {earlier.points(), later.points(), {}, std::move(pairs)};
}

}  // namespace

graph::EdgeSet point_conflicts(const PointSets& earlier, const PointSets& later) {
    if (are_few(earlier, later)) return compare_all(earlier, later);
    const Grouping sources = groups_of(earlier.sets());
    const Grouping targets = groups_of(later.sets());
    const OverlapTree tree = tree_of(sources.groups);
    std::vector<std::uint32_t> after_all, found;
    std::vector<graph::PointPair> pairs;
    for (const Group& group : targets.groups) {
        found.clear();
        std::size_t preceding = 0;
        tree.overlapping(*group.elements, [&](std::uint32_t source) {
            found.push_back(source);
            preceding += sources.points_of(sources.groups[source]).size();
        });
        const auto waiting = targets.points_of(group);
        if (preceding == earlier.points()) {
            after_all.insert(after_all.end(), waiting.begin(), waiting.end());
            continue;
        }
        for (const std::uint32_t source : found)
            for (const std::uint32_t point : sources.points_of(sources.groups[source]))
                for (const std::uint32_t target : waiting) pairs.push_back({point, target});
    }
    return {earlier.points(), later.points(), std::move(after_all), std::move(pairs)};
}

graph::EdgeSet conflicts_of_few(const OverlapTree& earlier, std::uint32_t points,
                                const PointSets& later) {
    std::vector<graph::PointPair> pairs;
    for (const Set& target : later.sets())
        earlier.overlapping(*target.elements, [&](std::uint32_t source) {
            pairs.push_back({source, target.point});
        });
    return {points, later.points(), {}, std::move(pairs)};
}

}  // namespace refrain::analysis
