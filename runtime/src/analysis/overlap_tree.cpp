#include "analysis/overlap_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace refrain::analysis {
namespace {

constexpr std::uint32_t leaf_sets_max = 8;

std::vector<const data::BoxSet*> addresses_of(std::span<const data::BoxSet> sets) {
    std::vector<const data::BoxSet*> addresses;
    addresses.reserve(sets.size());
    for (const data::BoxSet& set : sets) addresses.push_back(&set);
    return addresses;
}

/// What the boxes of some sets have in common.
struct Surroundings {
    data::Box around;          // all of them, but for empty ones
    data::Coordinates lo_max;  // of their lower corners

    void add(const data::Box& box) {
        if (box.empty()) return;
        if (around.empty()) {
            around = box;
            lo_max = box.lo;
            return;
        }
        for (std::size_t d = 0; d < lo_max.size(); ++d) {
            around.lo[d] = std::min(around.lo[d], box.lo[d]);
            around.hi[d] = std::max(around.hi[d], box.hi[d]);
            lo_max[d] = std::max(lo_max[d], box.lo[d]);
        }
    }
    /// The dimension in which their lower corners are spread most.
    [[nodiscard]] std::size_t widest() const {
        const auto spread = [&](std::size_t d) {
            return static_cast<std::uint64_t>(lo_max[d]) - static_cast<std::uint64_t>(around.lo[d]);
        };
        std::size_t widest = 0;
        for (std::size_t d = 1; d < lo_max.size(); ++d)
            if (spread(d) > spread(widest)) widest = d;
        return widest;
    }
};

}  // namespace

OverlapTree::OverlapTree(std::vector<const data::BoxSet*> sets)
    : sets_(std::move(sets)), order_(sets_.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    nodes_.reserve(2 * sets_.size() / (leaf_sets_max / 2) + 1);
    if (!order_.empty()) divide(0, static_cast<std::uint32_t>(order_.size()));
}

OverlapTree::OverlapTree(std::span<const data::BoxSet> sets) : OverlapTree(addresses_of(sets)) {}

/// Appends the nodes of order_[begin, end).
void OverlapTree::divide(std::uint32_t begin, std::uint32_t end) {
    Surroundings surroundings{};
    for (std::uint32_t i = begin; i < end; ++i) surroundings.add(sets_[order_[i]]->bounds());
    const std::size_t node = nodes_.size();
    const bool is_leaf = end - begin <= leaf_sets_max;
    nodes_.push_back({surroundings.around, 0, begin, is_leaf ? end : begin});
    if (!is_leaf) {
        const std::size_t d = surroundings.widest();
        const auto is_below = [&](std::uint32_t a, std::uint32_t b) {
            return sets_[a]->bounds().lo[d] < sets_[b]->bounds().lo[d];
        };
        const std::uint32_t middle = begin + (end - begin) / 2;
        const auto first = order_.begin() + begin, last = order_.begin() + end;
        if (!std::is_sorted(first, last, is_below))
            std::nth_element(first, order_.begin() + middle, last, is_below);
        divide(begin, middle);
        divide(middle, end);
    }
    nodes_[node].skip = static_cast<std::uint32_t>(nodes_.size());
}

}  // namespace refrain::analysis
