#pragma once

#include "refrain/detail/box_set.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace refrain::analysis {

/// Sets sorted by their lower bound in dimension 0, each with the largest upper bound so far: those
/// that can overlap an interval of that dimension form a range. Sets are named by their index.
class OverlapSweep {
  public:
    explicit OverlapSweep(std::vector<const data::BoxSet*> sets)
        : sets_(std::move(sets)), order_(sets_.size()) {
        std::iota(order_.begin(), order_.end(), 0U);
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return sets_[a]->bounds().lo[0] < sets_[b]->bounds().lo[0];
        });
        hi_max_.reserve(order_.size());
        std::int64_t hi_max = INT64_MIN;
        for (const std::uint32_t set : order_) {
            hi_max = std::max(hi_max, sets_[set]->bounds().hi[0]);
            hi_max_.push_back(hi_max);
        }
    }
    explicit OverlapSweep(std::span<const data::BoxSet> sets) : OverlapSweep(addresses_of(sets)) {}

    /// Calls visit(index) for every set that shares an element with `set`.
    template <class Visit>
    void overlapping(const data::BoxSet& set, Visit&& visit) const {
        const auto begin = std::upper_bound(hi_max_.begin(), hi_max_.end(), set.bounds().lo[0]);
        for (auto i = static_cast<std::size_t>(begin - hi_max_.begin()); i < order_.size(); ++i) {
            const data::BoxSet& own = *sets_[order_[i]];
            if (own.bounds().lo[0] >= set.bounds().hi[0]) break;
            if (own.overlaps(set)) visit(order_[i]);
        }
    }

    /// Memory that it takes, without the sets.
    [[nodiscard]] std::size_t bytes() const {
        return sets_.capacity() * sizeof(sets_[0]) + order_.capacity() * sizeof(order_[0]) +
               hi_max_.capacity() * sizeof(hi_max_[0]);
    }

  private:
    [[nodiscard]] static std::vector<const data::BoxSet*> addresses_of(
        std::span<const data::BoxSet> sets) {
        std::vector<const data::BoxSet*> addresses;
        addresses.reserve(sets.size());
        for (const data::BoxSet& set : sets) addresses.push_back(&set);
        return addresses;
    }

    std::vector<const data::BoxSet*> sets_;
    std::vector<std::uint32_t> order_;
    std::vector<std::int64_t> hi_max_;  // by place in order_
};

}  // namespace refrain::analysis
