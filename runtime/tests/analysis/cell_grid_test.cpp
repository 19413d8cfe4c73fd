#include "analysis/cell_grid.hpp"

#include <gtest/gtest.h>
#include <random>

namespace refrain::analysis::cell_grid_test {
namespace {

data::Box box(std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1) {
    return {{x0, y0, 0}, {x1, y1, 1}};
}

TEST(CellGrid, matches_the_example_in_its_header) {
    const CellGrid grid({{0, 0, 0}, {100, 1, 1}}, {{0, 0, 0}, {25, 1, 1}});
    EXPECT_EQ(grid.cell_count(), 4U);
    EXPECT_EQ(grid.cells_touched(data::BoxSet(data::Box{{20, 0, 0}, {30, 1, 1}})),
              (std::vector<std::uint32_t>{0, 1}));
}

TEST(CellGrid, cells_tile_the_region) {
    const data::Box bounds = box(-7, 3, 20, 24);
    const CellGrid grid(bounds, box(0, 0, 4, 5));
    std::vector<data::BoxSet> cells;
    std::int64_t volume = 0;
    for (std::uint32_t cell = 0; cell < grid.cell_count(); ++cell) {
        cells.emplace_back(grid.cell(cell));
        volume += grid.cell(cell).volume();
    }
    EXPECT_EQ(volume, bounds.volume());
    EXPECT_EQ(data::BoxSet::unite_all(cells), data::BoxSet(bounds));
}

TEST(CellGrid, a_set_touches_exactly_the_cells_that_it_overlaps) {
    const data::Box bounds = box(-7, 3, 20, 24);
    const CellGrid grid(bounds, box(0, 0, 4, 5));
    std::mt19937_64 random(5);
    for (int round = 0; round < 500; ++round) {
        std::vector<data::Coordinates> points;
        for (std::size_t count = 1 + random() % 6; count > 0; --count)
            points.push_back({-7 + static_cast<std::int64_t>(random() % 27),
                              3 + static_cast<std::int64_t>(random() % 21), 0});
        const data::BoxSet set = data::BoxSet::of_points(points);
        std::vector<std::uint32_t> expected;
        for (std::uint32_t cell = 0; cell < grid.cell_count(); ++cell)
            if (set.overlaps(data::BoxSet(grid.cell(cell)))) expected.push_back(cell);
        EXPECT_EQ(grid.cells_touched(set), expected);
        const auto around = grid.cell_around(set.bounds());
        EXPECT_EQ(around.has_value(), expected.size() == 1);
        EXPECT_EQ(around.value_or(expected.front()), expected.front());
    }
}

TEST(CellGrid, cells_grow_until_there_are_at_most_cells_max) {
    const CellGrid grid({{0, 0, 0}, {1'000'000, 1'000, 1}}, {{0, 0, 0}, {1, 1, 1}});
    EXPECT_LE(grid.cell_count(), CellGrid::cells_max);
    EXPECT_GT(grid.cell_count(), CellGrid::cells_max / 8);
}

TEST(CellGrid, keeps_nothing_of_a_footprint_in_one_cell) {
    std::size_t bytes = 0;
    FootprintTable footprints;
    const CellGrid grid({{0, 0, 0}, {100, 1, 1}}, {{0, 0, 0}, {25, 1, 1}}, &bytes);
    const std::size_t before = bytes;
    const FootprintId piece = footprints.intern({data::BoxSet(data::Box{{50, 0, 0}, {75, 1, 1}})});
    const auto cells = grid.cells_of(piece, footprints);
    EXPECT_EQ(std::vector(cells.begin(), cells.end()), std::vector{2U});
    EXPECT_EQ(bytes, before);
    EXPECT_EQ(grid.cell_around({{49, 0, 0}, {75, 1, 1}}), std::nullopt);
    EXPECT_EQ(grid.cell_around({{50, 0, 0}, {76, 1, 1}}), std::nullopt);
    EXPECT_EQ(grid.cell_around({{90, 0, 0}, {101, 1, 1}}), std::nullopt) << "outside of the grid";
    EXPECT_EQ(grid.cell_around({}), std::nullopt);
}

TEST(CellGrid, counts_its_memory) {
    std::size_t bytes = 0;
    FootprintTable footprints;
    {
        const CellGrid grid({{0, 0, 0}, {100, 1, 1}}, {{0, 0, 0}, {1, 1, 1}}, &bytes);
        EXPECT_GE(bytes, sizeof(CellGrid));
        const std::size_t before = bytes;
        const FootprintId all =
            footprints.intern({data::BoxSet(data::Box{{0, 0, 0}, {100, 1, 1}})});
        EXPECT_EQ(grid.cells_of(all, footprints).size(), 100U);
        EXPECT_GE(bytes, before + 400);
        const std::size_t with_cells = bytes;
        EXPECT_EQ(grid.cells_of(all, footprints).size(), 100U);
        EXPECT_EQ(bytes, with_cells);
        grid.forget_footprints();
        EXPECT_EQ(bytes, before);
    }
    EXPECT_EQ(bytes, 0U);
}

TEST(CellGrid, a_cleared_cache_does_not_serve_reused_footprint_ids) {
    FootprintTable footprints;
    const CellGrid grid({{0, 0, 0}, {100, 1, 1}}, {{0, 0, 0}, {25, 1, 1}});
    const FootprintId first = footprints.intern({data::BoxSet(data::Box{{0, 0, 0}, {30, 1, 1}})});
    EXPECT_EQ(grid.cells_of(first, footprints).front(), 0U);
    footprints.clear();
    grid.forget_footprints();
    const FootprintId other = footprints.intern({data::BoxSet(data::Box{{70, 0, 0}, {99, 1, 1}})});
    ASSERT_EQ(other, first);
    EXPECT_EQ(grid.cells_of(other, footprints).front(), 2U);
}

}  // namespace
}  // namespace refrain::analysis::cell_grid_test
