#include "states/private_grid.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace refrain::states::private_grid_test {
namespace {

data::Box box(std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) {
    return {{row, column, 0}, {row + rows, column + columns, 1}};
}
std::vector<std::size_t> lists(const PrivateGrid& grid, const data::Box& bounds) {
    std::vector<std::size_t> all;
    grid.for_each_list(bounds, [&](std::size_t list) { all.push_back(list); });
    return all;
}

TEST(PrivateGrid, a_group_in_one_cell_is_in_its_list_and_any_other_in_list_0) {
    const PrivateGrid grid(box(0, 0, 1024, 1), 8);
    EXPECT_EQ(grid.lists(), 257U);
    EXPECT_EQ(grid.list_of(box(8, 0, 4, 1)), 3U);
    EXPECT_EQ(grid.list_of(box(8, 0, 8, 1)), 0U);
    EXPECT_EQ(lists(grid, box(9, 0, 5, 1)), (std::vector<std::size_t>{0, 3, 4}));
}

TEST(PrivateGrid, an_access_looks_at_every_group_that_it_touches) {
    const data::Box bounds = box(-3, 5, 7, 9);
    for (int bits = 0; bits <= PrivateGrid::bits_max; ++bits) {
        const PrivateGrid grid(bounds, bits);
        EXPECT_LE(grid.lists(), 1U + (std::size_t{1} << bits));
        for (std::int64_t element = 0; element < 7 * 9; ++element) {
            const data::Box one = box(-3 + element / 9, 5 + element % 9, 1, 1);
            const auto seen = lists(grid, one);
            EXPECT_LE(seen.size(), 2U);
            for (std::int64_t rows = 1; rows <= 7; ++rows)
                for (std::int64_t columns = 1; columns <= 9; ++columns) {
                    const std::size_t own = grid.list_of(box(-3, 5, rows, columns));
                    EXPECT_LT(own, grid.lists());
                    if (box(-3, 5, rows, columns).overlaps(one)) {
                        EXPECT_NE(std::find(seen.begin(), seen.end(), own), seen.end());
                    }
                }
        }
    }
}

TEST(PrivateGrid, an_access_to_nothing_looks_at_no_cell) {
    const PrivateGrid grid(box(16, 0, 64, 1), 4);
    EXPECT_EQ(lists(grid, data::Box{}), std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace refrain::states::private_grid_test
