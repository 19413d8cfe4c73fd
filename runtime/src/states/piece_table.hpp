#pragma once

#include "analysis/cell_grid.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "states/group_table.hpp"

namespace refrain::states {

/// What an access does in one cell of a divided region.
struct Piece {
    AccessKey access;  // in coordinates relative to the cell
    std::uint32_t cell;
};

/// Remembers the pieces of accesses in the cells of grids.
///
/// Complexity:  pieces is a look-up from the second call per access and grid on.
/// Threads:     the launching thread only.
class PieceTable {
  public:
    explicit PieceTable(GroupTable& groups) : groups_(groups), slots_(64) {}

    struct Pieces {
        std::span<const Piece> all;  // by ascending cell; valid until the next call
        bool overwrites_all;         // every element of the region
        bool is_new;                 // this was the first call
    };
    /// Grids outlive the table.
    [[nodiscard]] Pieces pieces(AccessKey access, const analysis::CellGrid& grid);
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Slot {
        AccessKey access{};
        const analysis::CellGrid* grid = nullptr;  // null: the place is free
        std::uint32_t first = 0;                   // in pieces_
        std::uint32_t count : 31 = 0;
        std::uint32_t overwrites_all : 1 = 0;
    };
    [[nodiscard]] Slot& slot_of(AccessKey access, const analysis::CellGrid& grid);
    void find_pieces(AccessKey access, const analysis::CellGrid& grid);
    void grow();

    GroupTable& groups_;
    std::vector<Piece> pieces_;
    std::vector<Slot> slots_;  // open addressing; at most half of them are used
    std::size_t used_ = 0;
};

}  // namespace refrain::states
