#pragma once

#include "refrain/detail/box_set.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace refrain::analysis {

/// Points sorted by where their subset begins, with how far the ones before reach: the subsets that
/// can meet an interval of dimension 0 form a range.
class OverlapSweep {
  public:
    explicit OverlapSweep(const std::vector<data::BoxSet>& subsets)
        : subsets_(subsets), order_(subsets.size()) {
        std::iota(order_.begin(), order_.end(), 0U);
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return subsets_[a].bounds().lo[0] < subsets_[b].bounds().lo[0];
        });
        reach_.reserve(order_.size());
        std::int64_t reach = INT64_MIN;
        for (const std::uint32_t point : order_) {
            reach = std::max(reach, subsets_[point].bounds().hi[0]);
            reach_.push_back(reach);
        }
    }
    /// Calls visit(point) for every subset that shares an element with `set`.
    template <class Visit>
    void overlapping(const data::BoxSet& set, Visit&& visit) const {
        const auto begin = std::upper_bound(reach_.begin(), reach_.end(), set.bounds().lo[0]);
        for (auto i = static_cast<std::size_t>(begin - reach_.begin()); i < order_.size(); ++i) {
            const data::BoxSet& subset = subsets_[order_[i]];
            if (subset.bounds().lo[0] >= set.bounds().hi[0]) break;
            if (subset.overlaps(set)) visit(order_[i]);
        }
    }

  private:
    const std::vector<data::BoxSet>& subsets_;
    std::vector<std::uint32_t> order_;
    std::vector<std::int64_t> reach_;
};

}  // namespace refrain::analysis
