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

EdgePattern::EdgePattern(EdgeSet edges) : edges_(std::move(edges)) {
    build_all();
    count_in_degrees();
    pack_in_degrees();
    build_slices();
    REFRAIN_ASSERT(in_degree_max_ <= std::max(source_points(), 1U),
                   "a point waits for more points than the source has");
}

void EdgePattern::build_all() {
    for (const std::uint32_t target : edges_.after_all()) {
        const std::uint32_t bundle = target / points_per_bundle;
        if (all_.empty() || all_.back().bundle != bundle) all_.push_back({bundle, 0});
        all_.back().decrement += unit(target);
    }
    if (!all_.empty()) in_degree_max_ = 1;
}

void EdgePattern::count_in_degrees() {
    std::vector<std::uint32_t> targets;
    targets.reserve(edges_.others().size());
    for (const Pair& pair : edges_.others()) targets.push_back(pair.target);
    std::sort(targets.begin(), targets.end());
    for (const std::uint32_t target : targets) {
        if (in_degrees_.empty() || in_degrees_.back().target != target)
            in_degrees_.push_back({target, 0});
        ++in_degrees_.back().count;
    }
    for (const InDegree& degree : in_degrees_)
        in_degree_max_ = std::max(in_degree_max_, degree.count);
}

/// Merges all_ and in_degrees_, both by ascending bundle.
void EdgePattern::pack_in_degrees() {
    auto all = all_.begin();
    const auto take_all_until = [&](std::uint32_t bundle) {
        for (; all != all_.end() && all->bundle <= bundle; ++all) packed_.push_back(*all);
    };
    for (const InDegree& degree : in_degrees_) {
        const std::uint32_t bundle = degree.target / points_per_bundle;
        take_all_until(bundle);
        if (packed_.empty() || packed_.back().bundle != bundle) packed_.push_back({bundle, 0});
        packed_.back().decrement +=
            unit(degree.target) * std::min(degree.count, packed_in_degree_max);
    }
    packed_.insert(packed_.end(), all, all_.end());
}

void EdgePattern::build_slices() {
    std::vector<std::span<const Pair>> parts;  // by source bundle
    const std::span<const Pair> pairs = edges_.others();
    for (std::size_t begin = 0; begin < pairs.size();) {
        const std::uint32_t bundle = pairs[begin].source / points_per_bundle;
        std::size_t end = begin;
        while (end < pairs.size() && pairs[end].source / points_per_bundle == bundle) ++end;
        parts.push_back(pairs.subspan(begin, end - begin));
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
    std::size_t bytes = sizeof(*this) + edges_.bytes() + slices_.capacity() * sizeof(Slice) +
                        all_.capacity() * sizeof(Word) + packed_.capacity() * sizeof(Word) +
                        in_degrees_.capacity() * sizeof(InDegree);
    for (const Spread& spread : spreads_)
        bytes += sizeof(spread) + spread.words.capacity() * sizeof(Word);
    return bytes;
}

}  // namespace refrain::graph
