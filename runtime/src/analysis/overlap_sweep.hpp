#pragma once

#include "refrain/detail/box_set.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace refrain::analysis {

/// The elements of an item: the item itself, or its member `elements`.
inline const data::BoxSet& elements_of(const data::BoxSet& item) {
    return item;
}
template <class Item>
const data::BoxSet& elements_of(const Item& item) {
    return item.elements;
}

/// Subsets sorted by their lower bound in dimension 0, each with the largest upper bound so far: the
/// subsets that can overlap an interval of that dimension form a range.
template <class Item>
class OverlapSweep {
  public:
    /// The subsets are elements_of each item; `items` outlives the sweep.
    explicit OverlapSweep(const std::vector<Item>& items) : items_(items), order_(items.size()) {
        std::iota(order_.begin(), order_.end(), 0U);
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return subset(a).bounds().lo[0] < subset(b).bounds().lo[0];
        });
        hi_max_.reserve(order_.size());
        std::int64_t hi_max = INT64_MIN;
        for (const std::uint32_t index : order_) {
            hi_max = std::max(hi_max, subset(index).bounds().hi[0]);
            hi_max_.push_back(hi_max);
        }
    }
    /// Calls visit(index) for every subset that shares an element with `set`.
    template <class Visit>
    void overlapping(const data::BoxSet& set, Visit&& visit) const {
        const auto begin = std::upper_bound(hi_max_.begin(), hi_max_.end(), set.bounds().lo[0]);
        for (auto i = static_cast<std::size_t>(begin - hi_max_.begin()); i < order_.size(); ++i) {
            const data::BoxSet& elements = subset(order_[i]);
            if (elements.bounds().lo[0] >= set.bounds().hi[0]) break;
            if (elements.overlaps(set)) visit(order_[i]);
        }
    }

  private:
    [[nodiscard]] const data::BoxSet& subset(std::uint32_t index) const {
        return elements_of(items_[index]);
    }

    const std::vector<Item>& items_;
    std::vector<std::uint32_t> order_;
    std::vector<std::int64_t> hi_max_;  // by place in order_
};

}  // namespace refrain::analysis
