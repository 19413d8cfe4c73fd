#include "states/piece_table.hpp"

#include <gtest/gtest.h>

namespace refrain::states::testing::piece_table_test {
namespace {

data::BoxSet line(std::int64_t from, std::int64_t to) {
    return data::BoxSet(data::Box{{from, 0, 0}, {to, 1, 1}});
}

/// A region of 256 elements in cells of 16.
struct Cells {
    analysis::FootprintTable footprints;
    analysis::PatternTable patterns;
    GroupTable groups{footprints, patterns};
    PieceTable table{footprints, groups};
    analysis::CellGrid grid{data::Box{{0, 0, 0}, {256, 1, 1}}, data::Box{{0, 0, 0}, {16, 1, 1}}};

    PieceTable::Pieces pieces(const data::BoxSet& elements, Privilege privilege) {
        return table.pieces(AccessKey::of({footprints.intern_one(elements), privilege}), grid);
    }
};

TEST(PieceTable, tiles_that_lie_alike_in_their_cells_share_a_piece) {
    Cells cells;
    const Piece first = cells.pieces(line(4, 8), Privilege::write).all.front();
    const std::size_t bytes = cells.table.bytes();
    for (std::uint32_t cell = 1; cell < 16; ++cell) {
        const auto pieces = cells.pieces(line(16 * cell + 4, 16 * cell + 8), Privilege::write);
        ASSERT_EQ(pieces.all.size(), 1U);
        EXPECT_EQ(pieces.all.front().cell, cell);
        EXPECT_EQ(pieces.all.front().access, first.access);
        EXPECT_FALSE(pieces.is_new);
    }
    EXPECT_EQ(cells.table.bytes(), bytes);
}

TEST(PieceTable, other_elements_and_other_privileges_are_other_pieces) {
    Cells cells;
    const AccessKey first = cells.pieces(line(4, 8), Privilege::write).all.front().access;
    EXPECT_NE(cells.pieces(line(4, 9), Privilege::write).all.front().access, first);
    EXPECT_NE(cells.pieces(line(20, 25), Privilege::write).all.front().access, first);
    EXPECT_NE(cells.pieces(line(4, 8), Privilege::read).all.front().access, first);
}

TEST(PieceTable, a_piece_is_the_same_whether_its_access_lies_in_one_cell_or_in_several) {
    Cells cells;
    const auto several = cells.pieces(line(20, 40), Privilege::read_write);
    ASSERT_EQ(several.all.size(), 2U);
    const AccessKey left = several.all[0].access, right = several.all[1].access;
    EXPECT_EQ(cells.pieces(line(36, 48), Privilege::read_write).all.front().access, left);
    EXPECT_EQ(cells.pieces(line(64, 72), Privilege::read_write).all.front().access, right);
}

}  // namespace
}  // namespace refrain::states::testing::piece_table_test
