#include "graph/edge_pattern.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::graph {
namespace {

std::uint64_t unit(std::uint32_t target) {
    return std::uint64_t{1} << (8 * (target % 8));
}

/// The targets of one source point as (bundle, word), in ascending order.
std::vector<EdgePattern::Word> words_of(std::span<const EdgePattern::Pair> pairs) {
    std::vector<EdgePattern::Word> words;
    for (const auto& pair : pairs) {
        const std::uint32_t bundle = pair.target / points_per_bundle;
        if (words.empty() || words.back().bundle != bundle) words.push_back({bundle, 0});
        words.back().decrement += unit(pair.target);
    }
    return words;
}

}  // namespace

EdgePattern::EdgePattern(std::uint32_t source_points, std::uint32_t target_points,
                         std::vector<Pair> pairs)
    : source_points_(source_points), target_points_(target_points), pairs_(std::move(pairs)) {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    for (const Pair& pair : pairs_) {
        REFRAIN_ASSERT(pair.source < source_points, "the source point of an edge does not exist");
        REFRAIN_ASSERT(pair.target < target_points, "the target point of an edge does not exist");
    }
    find_from_all();
    count_in_degrees();
    if (!from_all_) build_slices();
    REFRAIN_ASSERT(in_degree_max_ <= std::max(source_points, 1U),
                   "a point waits for more points than the source has");
}

void EdgePattern::find_from_all() {
    if (source_points_ <= points_per_bundle || pairs_.size() % source_points_ != 0) return;
    const std::size_t targets = pairs_.size() / source_points_;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        if (pairs_[i].source != i / targets) return;
        if (pairs_[i].target != pairs_[i % targets].target) return;
    }
    if (targets == 0) return;
    from_all_ = true;
    all_ = words_of(std::span(pairs_).first(targets));
}

void EdgePattern::count_in_degrees() {
    std::vector<std::uint32_t> targets;
    const std::size_t counted = from_all_ ? pairs_.size() / source_points_ : pairs_.size();
    for (std::size_t i = 0; i < counted; ++i) targets.push_back(pairs_[i].target);
    std::sort(targets.begin(), targets.end());
    for (const std::uint32_t target : targets) {
        if (in_degrees_.empty() || in_degrees_.back().target != target)
            in_degrees_.push_back({target, 0});
        ++in_degrees_.back().count;
    }
    for (const InDegree& degree : in_degrees_) {
        const std::uint32_t bundle = degree.target / points_per_bundle;
        if (packed_.empty() || packed_.back().bundle != bundle) packed_.push_back({bundle, 0});
        packed_.back().decrement +=
            unit(degree.target) * std::min(degree.count, packed_in_degree_max);
        in_degree_max_ = std::max(in_degree_max_, degree.count);
    }
}

void EdgePattern::build_slices() {
    std::vector<std::span<const Pair>> parts;  // by source bundle
    for (std::size_t begin = 0; begin < pairs_.size();) {
        const std::uint32_t bundle = pairs_[begin].source / points_per_bundle;
        std::size_t end = begin;
        while (end < pairs_.size() && pairs_[end].source / points_per_bundle == bundle) ++end;
        parts.push_back(std::span(pairs_).subspan(begin, end - begin));
        begin = end;
    }
    slices_.resize(parts.size());
    spreads_.resize(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) build_slice(i, parts[i]);
}

void EdgePattern::build_slice(std::size_t index, std::span<const Pair> pairs) {
    Slice& slice = slices_[index];
    slice.source_bundle = pairs.front().source / points_per_bundle;
    slice.target_bundle = pairs.front().target / points_per_bundle;
    const bool single = std::all_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
        return pair.target / points_per_bundle == slice.target_bundle;
    });
    Spread& spread = spreads_[index];
    std::size_t begin = 0;
    for (std::uint32_t point = 0; point < points_per_bundle; ++point) {
        std::size_t end = begin;
        while (end < pairs.size() && pairs[end].source % points_per_bundle == point) ++end;
        const std::vector<Word> own = words_of(pairs.subspan(begin, end - begin));
        if (single && !own.empty()) slice.decrement[point] = own.front().decrement;
        spread.begin[point] = static_cast<std::uint32_t>(spread.words.size());
        if (!single) spread.words.insert(spread.words.end(), own.begin(), own.end());
        begin = end;
    }
    spread.begin[points_per_bundle] = static_cast<std::uint32_t>(spread.words.size());
    REFRAIN_ASSERT(begin == pairs.size(), "an edge from a bundle is missing in its slice");
    if (!single) slice.spread = &spread;
}

std::size_t EdgePattern::bytes() const {
    std::size_t bytes = sizeof(*this) + pairs_.capacity() * sizeof(Pair) +
                        slices_.capacity() * sizeof(Slice) + all_.capacity() * sizeof(Word) +
                        packed_.capacity() * sizeof(Word) +
                        in_degrees_.capacity() * sizeof(InDegree);
    for (const Spread& spread : spreads_)
        bytes += sizeof(spread) + spread.words.capacity() * sizeof(Word);
    return bytes;
}

}  // namespace refrain::graph
