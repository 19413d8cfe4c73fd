#pragma once

#include "analysis/footprint.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::analysis {

/// A regular grid over a region: which cells a footprint touches.
///
///     bounds [0,100), cells of 25:   {[20,30)} touches cells 0 and 1
///
/// A region that many single tasks use piecewise has a chain of accesses per cell, so that a task
/// walks past those that touch the same cells only. Accesses that meet in a cell without sharing an
/// element cost a hop and nothing else: the grid need not fit the program's partitions to be right.
///
/// Complexity:  cells_of is a look-up after the first time per footprint.
/// Threads:     the launching thread only.
class CellGrid {
  public:
    /// "Not a cell": the chain of an undivided region.
    static constexpr std::uint32_t whole = ~std::uint32_t{0};
    static constexpr std::size_t cells_max = 4096;

    /// Cells have the extents of `piece`, doubled until there are at most cells_max.
    CellGrid(const data::Box& bounds, const data::Box& piece);

    [[nodiscard]] std::size_t cell_count() const { return cell_count_; }
    /// Whether an access to so many cells is no piecewise use.
    [[nodiscard]] bool is_coarse(std::size_t cells) const {
        return cells > 32 || 2 * cells > cell_count_;
    }
    [[nodiscard]] data::Box cell(std::uint32_t index) const;
    /// In ascending order, each once. The footprint lies within the bounds.
    [[nodiscard]] std::span<const std::uint32_t> cells_of(FootprintId footprint,
                                                          const FootprintTable& footprints) const;
    /// The same for any set of elements, computed each time.
    [[nodiscard]] std::vector<std::uint32_t> cells_touched(const data::BoxSet& elements) const;
    void forget_footprints() const { cells_.clear(); }

    [[nodiscard]] const data::Box& bounds() const { return bounds_; }
    [[nodiscard]] const std::array<std::int64_t, 3>& extents() const { return extents_; }

  private:
    data::Box bounds_;
    std::array<std::int64_t, 3> extents_{};
    std::array<std::int64_t, 3> counts_{};
    std::size_t cell_count_ = 0;
    // By footprint; empty: not yet asked for.
    mutable std::vector<std::vector<std::uint32_t>> cells_;
};

}  // namespace refrain::analysis
