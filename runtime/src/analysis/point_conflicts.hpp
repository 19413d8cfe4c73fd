#pragma once

#include "analysis/overlap_tree.hpp"
#include "analysis/part.hpp"
#include "graph/edge_pattern.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::analysis {

/// The elements that points of one launch touch: none or one set per point.
class PointSets {
  public:
    explicit PointSets(std::uint32_t points) : points_(points) {}
    /// Every point's subset.
    explicit PointSets(std::span<const data::BoxSet> subsets)
        : PointSets(static_cast<std::uint32_t>(subsets.size())) {
        for (std::uint32_t point = 0; point < points_; ++point) add(point, subsets[point]);
    }
    PointSets(std::uint32_t points, const Parts& parts) : PointSets(points) {
        for (const Part& part : parts) add(part.point, part.elements);
    }
    /// `elements` must outlive this.
    void add(std::uint32_t point, const data::BoxSet& elements) {
        if (!elements.empty()) sets_.push_back({point, &elements});
    }

    struct Set {
        std::uint32_t point;
        const data::BoxSet* elements;  // not empty
    };
    [[nodiscard]] std::uint32_t points() const { return points_; }
    [[nodiscard]] const std::vector<Set>& sets() const { return sets_; }

  private:
    std::uint32_t points_;
    std::vector<Set> sets_;
};

/// The pairs of an earlier and a later point that share an element.
///
///     earlier {[0,4), [4,8), ...}, later {[0,n), [0,n), ...}   ->   all precede all, without pairs
///
/// Points with equal elements are compared once together, so n points that use what n points wrote
/// take n comparisons.
///
/// Complexity:  O(n log n + c + p) for n points, c overlaps of distinct sets, p pairs in the result.
[[nodiscard]] graph::EdgeSet point_conflicts(const PointSets& earlier, const PointSets& later);

/// The same for few later points, where `earlier`, one set per point, is sorted already: O(log n +
/// answer) for each of them.
[[nodiscard]] graph::EdgeSet conflicts_of_few(const OverlapTree& earlier, std::uint32_t points,
                                              const PointSets& later);

}  // namespace refrain::analysis
