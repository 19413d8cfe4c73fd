#pragma once

#include "refrain/detail/box.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace refrain::states {

/// A coarse grid over a region in private mode: an access looks only at groups in the cells that it
/// touches, and at those that lie in no single cell.
///
///     bounds [0,1024), 8 bits, cells of 4:   a group within [8,12) is in list 3
///                                            one within [8,16) is in list 0
///                                            an access within [9,14) looks at lists 0, 3 and 4
///
/// Groups are not cut: the grid only tells which ones an access cannot touch.
class PrivateGrid {
  public:
    static constexpr int bits_max = 8;
    /// At most 2^bits cells, alike in all dimensions.
    PrivateGrid(const data::Box& bounds, int bits) : lo_(bounds.lo) {
        const int used = (bounds.extent(0) > 1) + (bounds.extent(1) > 1) + (bounds.extent(2) > 1);
        const int bits_of_each = bits / std::max(1, used);
        for (int d = 0; d < 3; ++d) {
            const auto i = static_cast<std::size_t>(d);
            const auto extent = static_cast<std::uint64_t>(bounds.extent(d));
            const std::uint64_t last = extent == 0 ? 0 : extent - 1;
            shift_[i] = std::max(0, static_cast<int>(std::bit_width(last)) - bits_of_each);
            count_[i] = static_cast<std::int64_t>(last >> shift_[i]) + 1;
        }
    }

    [[nodiscard]] std::size_t lists() const {
        return 1 + static_cast<std::size_t>(count_[0] * count_[1] * count_[2]);
    }
    /// The list of a group within `bounds`.
    [[nodiscard]] std::size_t list_of(const data::Box& bounds) const {
        const Range cells = cells_of(bounds);
        return cells.first == cells.last ? list(cells.first) : 0;
    }
    /// Calls visit(list) for each list that an access within `bounds` looks at.
    template <class Visit>
    void for_each_list(const data::Box& bounds, Visit&& visit) const {
        visit(std::size_t{0});
        if (bounds.empty()) return;
        const Range cells = cells_of(bounds);
        Cell at;
        for (at[0] = cells.first[0]; at[0] <= cells.last[0]; ++at[0])
            for (at[1] = cells.first[1]; at[1] <= cells.last[1]; ++at[1])
                for (at[2] = cells.first[2]; at[2] <= cells.last[2]; ++at[2]) visit(list(at));
    }

  private:
    using Cell = std::array<std::int64_t, 3>;
    struct Range {
        Cell first, last;
    };
    [[nodiscard]] Range cells_of(const data::Box& bounds) const {
        Range range;
        for (std::size_t d = 0; d < 3; ++d) {
            range.first[d] = (bounds.lo[d] - lo_[d]) >> shift_[d];
            range.last[d] = (bounds.hi[d] - 1 - lo_[d]) >> shift_[d];
        }
        return range;
    }
    [[nodiscard]] std::size_t list(const Cell& cell) const {
        return 1 + static_cast<std::size_t>((cell[0] * count_[1] + cell[1]) * count_[2] + cell[2]);
    }

    data::Coordinates lo_;
    std::array<int, 3> shift_{};  // the elements of a cell are a power of two
    Cell count_{};                // cells
};

}  // namespace refrain::states
