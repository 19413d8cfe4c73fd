#include "analysis/cell_grid.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace refrain::analysis {

CellGrid::CellGrid(const data::Box& bounds, const data::Box& piece, std::size_t* bytes)
    : bounds_(bounds), bytes_(bytes) {
    for (int d = 0; d < 3; ++d) extents_[d] = std::max<std::int64_t>(1, piece.extent(d));
    while (true) {
        std::int64_t cells = 1;
        int longest = 0;
        for (int d = 0; d < 3; ++d) {
            counts_[d] =
                std::max<std::int64_t>(1, (bounds.extent(d) + extents_[d] - 1) / extents_[d]);
            if (counts_[d] > counts_[longest]) longest = d;
            cells = std::min<std::int64_t>(cells * counts_[d], std::int64_t{1} << 40);
        }
        cell_count_ = static_cast<std::size_t>(cells);
        if (cell_count_ <= cells_max) break;
        extents_[longest] *= 2;
    }
    indices_.resize(cell_count_);
    std::iota(indices_.begin(), indices_.end(), 0U);
    count(static_cast<std::ptrdiff_t>(own_bytes()));
}

data::Box CellGrid::cell(std::uint32_t index) const {
    REFRAIN_ASSERT(index < cell_count_, "a cell lies outside of its grid");
    const std::array<std::int64_t, 3> at = {index / (counts_[1] * counts_[2]),
                                            index / counts_[2] % counts_[1], index % counts_[2]};
    data::Box box;
    for (int d = 0; d < 3; ++d) {
        box.lo[d] = bounds_.lo[d] + at[d] * extents_[d];
        box.hi[d] = std::min(box.lo[d] + extents_[d], bounds_.hi[d]);
    }
    return box;
}

std::optional<std::uint32_t> CellGrid::cell_around(const data::Box& box) const {
    if (box.empty() || !bounds_.contains(box)) return std::nullopt;
    std::int64_t cell = 0;
    for (int d = 0; d < 3; ++d) {
        if (counts_[d] == 1) continue;  // of which every element is in this cell
        const std::int64_t at = (box.lo[d] - bounds_.lo[d]) / extents_[d];
        if (box.hi[d] - bounds_.lo[d] > (at + 1) * extents_[d]) return std::nullopt;
        cell = cell * counts_[d] + at;
    }
    return static_cast<std::uint32_t>(cell);
}

/// A piece of a region that is used in pieces lies in one cell as a rule: of these nothing is kept.
std::span<const std::uint32_t> CellGrid::cells_of(FootprintId footprint,
                                                  const FootprintTable& footprints) const {
    if (const auto cell = cell_around(footprints.get(footprint).all.bounds()))
        return {&indices_[*cell], 1};
    if (const auto* known = cells_.find(footprint)) return *known;
    const std::size_t before = cells_.bytes();
    const auto& cells = cells_.add(footprint, cells_touched(footprints.get(footprint).all));
    const std::size_t added = cells_.bytes() - before + bytes_per_block + held_bytes(cells);
    cached_bytes_ += added;
    count(static_cast<std::ptrdiff_t>(added));
    return cells;
}

void CellGrid::forget_footprints() const {
    free_all(cells_);
    count(-static_cast<std::ptrdiff_t>(std::exchange(cached_bytes_, 0)));
}

std::vector<std::uint32_t> CellGrid::cells_touched(const data::BoxSet& elements) const {
    std::vector<std::uint32_t> cells;
    elements.for_each_box([&](const data::Box& box) {
        for_each_cell(box, [&](std::uint32_t cell) { cells.push_back(cell); });
    });
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

}  // namespace refrain::analysis
