#pragma once

#include "refrain/detail/box_set.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace refrain::analysis {

/// Points sorted by the lower bound of their subset in dimension 0, each with the largest upper
/// bound so far: the subsets that can overlap an interval of that dimension form a range.
class OverlapSweep {
  public:
    explicit OverlapSweep(const std::vector<data::BoxSet>& subsets)
        : subsets_(subsets), order_(subsets.size()) {
        std::iota(order_.begin(), order_.end(), 0U);
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return subsets_[a].bounds().lo[0] < subsets_[b].bounds().lo[0];
        });
        hi_max_.reserve(order_.size());
        std::int64_t hi_max = INT64_MIN;
        for (const std::uint32_t point : order_) {
            hi_max = std::max(hi_max, subsets_[point].bounds().hi[0]);
            hi_max_.push_back(hi_max);
        }
    }
    /// Calls visit(point) for every subset that shares an element with `set`.
    template <class Visit>
    void overlapping(const data::BoxSet& set, Visit&& visit) const {
        const auto begin = std::upper_bound(hi_max_.begin(), hi_max_.end(), set.bounds().lo[0]);
        for (auto i = static_cast<std::size_t>(begin - hi_max_.begin()); i < order_.size(); ++i) {
            const data::BoxSet& subset = subsets_[order_[i]];
            if (subset.bounds().lo[0] >= set.bounds().hi[0]) break;
            if (subset.overlaps(set)) visit(order_[i]);
        }
    }

  private:
    const std::vector<data::BoxSet>& subsets_;
    std::vector<std::uint32_t> order_;
    std::vector<std::int64_t> hi_max_;  // by place in order_
};

}  // namespace refrain::analysis
