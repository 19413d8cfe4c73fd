#include "analysis/point_conflicts.hpp"

#include "analysis/overlap_sweep.hpp"

#include <algorithm>
#include <utility>

namespace refrain::analysis {
namespace {

using Set = PointSets::Set;

/// Points with equal elements.
struct Group {
    const data::BoxSet* elements;
    std::vector<std::uint32_t> points;
};

std::vector<Group> runs_of(const std::vector<Set>& sets) {
    std::vector<Group> runs;
    for (const Set& set : sets) {
        if (runs.empty() || !(*runs.back().elements == *set.elements))
            runs.push_back({set.elements, {}});
        runs.back().points.push_back(set.point);
    }
    return runs;
}

/// Neighbours with equal elements are grouped first: tiles have no equals, and a set that all
/// points touch is one group already. Groups of equal hash and different elements stay apart.
std::vector<Group> groups_of(const std::vector<Set>& sets) {
    std::vector<Group> runs = runs_of(sets);
    if (runs.size() == 1) return runs;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> by_hash;
    by_hash.reserve(runs.size());
    for (std::uint32_t i = 0; i < runs.size(); ++i)
        by_hash.emplace_back(runs[i].elements->hash(), i);
    std::sort(by_hash.begin(), by_hash.end());
    std::vector<Group> groups;
    groups.reserve(runs.size());
    for (const auto& [hash, i] : by_hash) {
        if (groups.empty() || !(*groups.back().elements == *runs[i].elements))
            groups.push_back({runs[i].elements, {}});
        std::vector<std::uint32_t>& points = groups.back().points;
        if (points.empty())
            points = std::move(runs[i].points);
        else
            points.insert(points.end(), runs[i].points.begin(), runs[i].points.end());
    }
    return groups;
}

OverlapSweep sweep_of(const std::vector<Group>& groups) {
    std::vector<const data::BoxSet*> sets;
    sets.reserve(groups.size());
    for (const Group& group : groups) sets.push_back(group.elements);
    return OverlapSweep(std::move(sets));
}

}  // namespace

graph::EdgeSet point_conflicts(const PointSets& earlier, const PointSets& later) {
    const std::vector<Group> sources = groups_of(earlier.sets());
    const OverlapSweep sweep = sweep_of(sources);
    std::vector<std::uint32_t> after_all, found;
    std::vector<graph::PointPair> pairs;
    for (const Group& targets : groups_of(later.sets())) {
        found.clear();
        std::size_t points = 0;
        sweep.overlapping(*targets.elements, [&](std::uint32_t group) {
            found.push_back(group);
            points += sources[group].points.size();
        });
        if (points == earlier.points()) {
            after_all.insert(after_all.end(), targets.points.begin(), targets.points.end());
            continue;
        }
        for (const std::uint32_t group : found)
            for (const std::uint32_t source : sources[group].points)
                for (const std::uint32_t target : targets.points) pairs.push_back({source, target});
    }
    return {earlier.points(), later.points(), std::move(after_all), std::move(pairs)};
}

}  // namespace refrain::analysis
