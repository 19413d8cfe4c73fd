#pragma once

#include "analysis/cell_grid.hpp"
#include "base/gradual_map.hpp"
#include "base/hash.hpp"

#include <cstdint>
#include <optional>
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
///     cells of 16:   a single task writes [20,24): in cell 1, write [4,8)
///                    another one writes [36,40): in cell 2, the same piece
///
/// A tile lies in one cell as a rule, and most tiles lie in their cells like others. So of single tasks
/// on a box in one cell only the distinct pieces are kept.
///
/// Complexity:  pieces is a look-up from the second call per access and grid on, or per piece.
/// Threads:     the launching thread only.
class PieceTable {
  public:
    PieceTable(const analysis::FootprintTable& footprints, GroupTable& groups)
        : footprints_(footprints), groups_(groups) {}

    struct Pieces {
        std::span<const Piece> all;  // by ascending cell; valid until the next call
        bool overwrites_all;         // every element of the region
        bool is_new;                 // something was added to the tables
    };
    /// Grids outlive the table.
    [[nodiscard]] Pieces pieces(AccessKey access, const analysis::CellGrid& grid);
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Key {
        AccessKey access{};
        const analysis::CellGrid* grid = nullptr;

        bool operator==(const Key&) const = default;
    };
    struct HashKey {
        [[nodiscard]] std::uint64_t operator()(const Key& key) const noexcept {
            const auto grid =
                static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(key.grid));
            return base::mix(key.access.word ^ grid << 16);
        }
    };
    struct Known {
        std::vector<Piece> pieces;  // by ascending cell
        bool overwrites_all = false;
    };
    /// The piece of a single task on a box in one cell.
    struct Lone {
        data::Box inside;  // relative to the cell
        std::uint32_t usage;
        AccessKey access;
    };
    [[nodiscard]] std::optional<Pieces> lone_piece(AccessKey access,
                                                   const analysis::CellGrid& grid);
    [[nodiscard]] Known find_pieces(AccessKey access, const analysis::CellGrid& grid);

    const analysis::FootprintTable& footprints_;
    GroupTable& groups_;
    base::GradualMap<std::uint64_t, Lone> lone_;  // by a hash of its content
    Piece lone_piece_{};                          // the last that was asked for
    base::GradualMap<Key, Known, HashKey> known_;
    std::size_t pieces_bytes_ = 0;  // of the pieces in known_
};

}  // namespace refrain::states
