#pragma once

#include "analysis/footprint.hpp"
#include "analysis/table_bytes.hpp"
#include "base/gradual_map.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace refrain::analysis {

/// A regular grid over a region: tells which cells a footprint touches.
///
///     bounds [0,100), cells of 25:   {[20,30)} touches cells 0 and 1
///
/// A region of which many single tasks use one piece each has a chain of accesses per cell, so that
/// a walk passes only accesses to the same cells. Accesses that share a cell but no element cost
/// one hop each, so the grid is correct even where it does not fit the program's partitions.
///
/// Complexity:  cells_of is a division per dimension where one cell holds the footprint, else a look-up
///              from the second call per footprint on.
/// Threads:     the launching thread only.
class CellGrid {
  public:
    /// Sentinel: the chain of an undivided region.
    static constexpr std::uint32_t whole = ~std::uint32_t{0};
    static constexpr std::size_t cells_max = 4096;

    /// Cells have the extents of `piece`, doubled until at most cells_max remain. The grid adds its
    /// memory, and that of the chains of its regions, to `bytes`, which outlives it, if that is not
    /// null.
    CellGrid(const data::Box& bounds, const data::Box& piece, std::size_t* bytes = nullptr);
    ~CellGrid() { count(-static_cast<std::ptrdiff_t>(cached_bytes_ + own_bytes())); }
    CellGrid(const CellGrid&) = delete;
    CellGrid& operator=(const CellGrid&) = delete;
    CellGrid(CellGrid&&) = delete;
    CellGrid& operator=(CellGrid&&) = delete;

    [[nodiscard]] std::size_t cell_count() const { return cell_count_; }
    /// Whether an access to `cells` cells uses more than a piece.
    [[nodiscard]] bool is_coarse(std::size_t cells) const {
        return cells > 32 || 2 * cells > cell_count_;
    }
    [[nodiscard]] data::Box cell(std::uint32_t index) const;
    /// The cell that holds all of the box, if one does and the box is not empty.
    [[nodiscard]] std::optional<std::uint32_t> cell_around(const data::Box& box) const;
    /// The touched cells, ascending and unique. Precondition: the footprint lies within bounds().
    /// Valid until forget_footprints().
    [[nodiscard]] std::span<const std::uint32_t> cells_of(FootprintId footprint,
                                                          const FootprintTable& footprints) const;
    /// The same for any set of elements; not cached.
    [[nodiscard]] std::vector<std::uint32_t> cells_touched(const data::BoxSet& elements) const;
    /// Calls visit(cell) for each cell that the box touches, ascending. Precondition: the box is not empty, and within
    /// bounds().
    template <class Visit>
    void for_each_cell(const data::Box& box, Visit&& visit) const;
    void forget_footprints() const;
    /// Memory was taken (negative: given back) for what regions keep per cell.
    void count(std::ptrdiff_t bytes) const {
        if (bytes_ != nullptr) *bytes_ += static_cast<std::size_t>(bytes);
    }

    [[nodiscard]] const data::Box& bounds() const { return bounds_; }
    [[nodiscard]] const std::array<std::int64_t, 3>& extents() const { return extents_; }

  private:
    [[nodiscard]] std::size_t own_bytes() const { return sizeof *this + held_bytes(indices_); }

    data::Box bounds_;
    std::array<std::int64_t, 3> extents_{};
    std::array<std::int64_t, 3> counts_{};
    std::size_t cell_count_ = 0;
    std::vector<std::uint32_t> indices_;  // 0, 1, 2, ...: what cells_of lends of a single cell
    std::size_t* bytes_;
    mutable base::GradualMap<FootprintId, std::vector<std::uint32_t>> cells_;  // cache
    mutable std::size_t cached_bytes_ = 0;
};

template <class Visit>
void CellGrid::for_each_cell(const data::Box& box, Visit&& visit) const {
    std::array<std::int64_t, 3> first{}, last{};
    for (int d = 0; d < 3; ++d) {
        const auto at = [&](std::int64_t element) {
            return std::clamp<std::int64_t>((element - bounds_.lo[d]) / extents_[d], 0,
                                            counts_[d] - 1);
        };
        first[d] = at(box.lo[d]);
        last[d] = at(box.hi[d] - 1);
    }
    for (std::int64_t i = first[0]; i <= last[0]; ++i)
        for (std::int64_t j = first[1]; j <= last[1]; ++j)
            for (std::int64_t k = first[2]; k <= last[2]; ++k)
                visit(static_cast<std::uint32_t>((i * counts_[1] + j) * counts_[2] + k));
}

}  // namespace refrain::analysis
