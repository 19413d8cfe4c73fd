#include "graph/edge_set.hpp"

#include "base/assertion.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace refrain::graph {
namespace {

template <class Items>
void sort_unique(Items& items) {
    if (!std::is_sorted(items.begin(), items.end())) std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
}

/// Removes the pairs that lead to one of `targets`.
void erase_targets(std::vector<PointPair>& pairs, std::span<const std::uint32_t> targets,
                   std::uint32_t target_points) {
    if (targets.empty() || pairs.empty()) return;
    std::vector<bool> gone(target_points);
    for (const std::uint32_t target : targets) gone[target] = true;
    std::erase_if(pairs, [&](const PointPair& pair) { return gone[pair.target]; });
}

}  // namespace

EdgeSet::EdgeSet(std::uint32_t source_points, std::uint32_t target_points,
                 std::vector<std::uint32_t> after_all, std::vector<PointPair> others)
    : source_points_(source_points),
      target_points_(target_points),
      after_all_(std::move(after_all)),
      others_(std::move(others)) {
    sort_unique(after_all_);
    assert_in_range();
    if (source_points <= points_per_bundle) {
        expand_after_all();
        sort_unique(others_);
        return;
    }
    sort_unique(others_);
    find_after_all();
    erase_targets(others_, after_all_, target_points_);
}

EdgeSet EdgeSet::complete(std::uint32_t source_points, std::uint32_t target_points) {
    std::vector<std::uint32_t> targets(source_points == 0 ? 0 : target_points);
    std::iota(targets.begin(), targets.end(), 0U);
    return {source_points, target_points, std::move(targets), {}};
}

void EdgeSet::assert_in_range() const {
    REFRAIN_ASSERT(after_all_.empty() || after_all_.back() < target_points_,
                   "a target point that waits for all does not exist");
    for (const PointPair& pair : others_) {
        REFRAIN_ASSERT(pair.source < source_points_, "the source point of an edge does not exist");
        REFRAIN_ASSERT(pair.target < target_points_, "the target point of an edge does not exist");
    }
}

void EdgeSet::expand_after_all() {
    others_.reserve(others_.size() + after_all_.size() * source_points_);
    for (std::uint32_t source = 0; source < source_points_; ++source)
        for (const std::uint32_t target : after_all_) others_.push_back({source, target});
    after_all_ = {};
}

void EdgeSet::find_after_all() {
    if (others_.size() < source_points_) return;
    std::vector<std::uint32_t> in_degrees(target_points_);
    for (const PointPair& pair : others_) ++in_degrees[pair.target];
    const std::size_t known = after_all_.size();
    for (std::uint32_t target = 0; target < target_points_; ++target)
        if (in_degrees[target] == source_points_) after_all_.push_back(target);
    if (after_all_.size() != known) sort_unique(after_all_);
}

std::vector<PointPair> EdgeSet::pairs() const {
    std::vector<PointPair> pairs = others_;
    pairs.reserve(others_.size() + after_all_.size() * source_points_);
    for (std::uint32_t source = 0; source < source_points_; ++source)
        for (const std::uint32_t target : after_all_) pairs.push_back({source, target});
    sort_unique(pairs);
    return pairs;
}

std::uint64_t EdgeSet::hash() const {
    base::Hasher hasher(std::uint64_t{source_points_} << 32 | target_points_);
    for (const std::uint32_t target : after_all_) hasher.add(target);
    hasher.add(after_all_.size());
    for (const PointPair& pair : others_)
        hasher.add(std::uint64_t{pair.source} << 32 | pair.target);
    return hasher.finish().low;
}

std::size_t EdgeSet::bytes() const {
    return after_all_.capacity() * sizeof(after_all_[0]) + others_.capacity() * sizeof(others_[0]);
}

void EdgeSet::assert_same_nodes(const EdgeSet& other) const {
    REFRAIN_ASSERT(source_points_ == other.source_points_,
                   "edges from different sources are combined");
    REFRAIN_ASSERT(target_points_ == other.target_points_,
                   "edges to different targets are combined");
}

EdgeSet EdgeSet::unite(const EdgeSet& other) const {
    assert_same_nodes(other);
    std::vector<std::uint32_t> after_all;
    std::set_union(after_all_.begin(), after_all_.end(), other.after_all_.begin(),
                   other.after_all_.end(), std::back_inserter(after_all));
    std::vector<PointPair> others;
    std::set_union(others_.begin(), others_.end(), other.others_.begin(), other.others_.end(),
                   std::back_inserter(others));
    return {source_points_, target_points_, std::move(after_all), std::move(others)};
}

EdgeSet EdgeSet::without(const EdgeSet& other) const {
    assert_same_nodes(other);
    std::vector<std::uint32_t> after_all;
    std::set_difference(after_all_.begin(), after_all_.end(), other.after_all_.begin(),
                        other.after_all_.end(), std::back_inserter(after_all));
    std::vector<PointPair> others;
    std::set_difference(others_.begin(), others_.end(), other.others_.begin(), other.others_.end(),
                        std::back_inserter(others));
    erase_targets(others, other.after_all_, target_points_);
    return {source_points_, target_points_, std::move(after_all), std::move(others)};
}

}  // namespace refrain::graph
