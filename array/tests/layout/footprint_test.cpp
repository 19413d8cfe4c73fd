#include <gtest/gtest.h>

#include "layout/layouts.hpp"

namespace footprint_test {

using namespace layouts;  // NOLINT

RegionBox box(std::array<Extent, 3> lo, std::array<Extent, 3> hi, bool exact = true) {
    return {lo, hi, exact};
}

TEST(FootprintTest, ASliceIsABox) {
    const Extents root{10, 20};
    const Layout grid = Layout::row_major(root);
    EXPECT_EQ(footprint(grid, root), box({0, 0, 0}, {10, 20, 1}));
    EXPECT_EQ(footprint(grid.slice(0, 1, 1, 8).slice(1, 1, 1, 18), root),
              box({1, 1, 0}, {9, 19, 1}));
    EXPECT_EQ(footprint(grid.at(1, 3), root), box({0, 3, 0}, {10, 4, 1}));
    EXPECT_EQ(footprint(grid.slice(0, 9, -1, 10).transposed(), root), box({0, 0, 0}, {10, 20, 1}));
}

TEST(FootprintTest, StepsAndDiagonalsAreTheHull) {
    const Extents root{10, 20};
    const Layout grid = Layout::row_major(root);
    EXPECT_EQ(footprint(grid.slice(1, 1, 3, 6), root), box({0, 1, 0}, {10, 17, 1}, false));
    EXPECT_EQ(footprint(grid.diagonal(2, 0, 1), root), box({0, 2, 0}, {10, 12, 1}, false));
    EXPECT_EQ(footprint(grid.slice(1, 19, -1, 20).diagonal(0, 0, 1), root),
              box({0, 10, 0}, {10, 20, 1}, false));
}

TEST(FootprintTest, AReshapedViewOfWholeRowsIsExact) {
    const Extents root{4, 5, 6};
    const Layout cube = Layout::row_major(root);
    EXPECT_EQ(footprint(*cube.slice(0, 1, 1, 2).reshaped({60}), root), box({1, 0, 0}, {3, 5, 6}));
    EXPECT_EQ(footprint(*cube.at(0, 2).reshaped({3, 10}), root), box({2, 0, 0}, {3, 5, 6}));
}

TEST(FootprintTest, RootsOfHighRankLieInRegionsOfThree) {
    EXPECT_EQ(region_shape({}), (Extents{1}));
    EXPECT_EQ(region_shape({0, 3}), (Extents{1, 3}));
    EXPECT_EQ(region_shape({2, 3, 4}), (Extents{2, 3, 4}));
    EXPECT_EQ(region_shape({2, 3, 4, 5}), (Extents{2, 3, 20}));
    EXPECT_EQ(region_shape({1, 1, 7, 8, 1}), (Extents{7, 8}));
    EXPECT_EQ(region_shape({1, 1, 1, 1}), (Extents{1}));
    const Extents root{2, 3, 4, 5};
    EXPECT_EQ(footprint(Layout::row_major(root).at(2, 1), root), box({0, 0, 5}, {2, 3, 10}));
}

TEST(FootprintTest, APartLiesInMemoryOfItsBoxWhereItsElementsAre) {
    Views views(7);
    for (int round = 0; round < 2000; ++round) {
        const Extents root = views.shape(static_cast<int>(views.below(7)));
        if (Layout::row_major(root).size() == 0) continue;
        // A part, and the box of memory that its own box lies in.
        Layout part = Layout::row_major(root);
        Extents first(root.size(), 0);
        for (int axis = 0; axis < root.size(); ++axis) {
            first[axis] = views.below(root[axis]);
            const Extent count = 1 + views.below(root[axis] - first[axis]);
            part = part.slice(axis, first[axis], 1, count);
        }
        RegionBox held = footprint(part, root);
        const Extents region = region_shape(root);
        for (int i = 0; i < region.size(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            held.lo[at] = views.below(held.lo[at] + 1);
            held.hi[at] += views.below(region[i] - held.hi[at] + 1);
        }
        // Numbers of the root's elements, in the order in which the box has them.
        std::vector<Extent> memory;
        const Extent rows = region.size() > 1 ? region[1] : 1;
        const Extent columns = region.size() > 2 ? region[2] : 1;
        for (Extent i = held.lo[0]; i < held.hi[0]; ++i)
            for (Extent j = held.lo[1]; j < std::max<Extent>(held.hi[1], 1); ++j)
                for (Extent k = held.lo[2]; k < std::max<Extent>(held.hi[2], 1); ++k)
                    memory.push_back((i * rows + j) * columns + k);
        const Layout layout = layout_within(held, root, first, part.shape);
        std::vector<Extent> found;
        for (const Extent at : elements(layout))
            found.push_back(memory[static_cast<std::size_t>(at)]);
        EXPECT_EQ(found, elements(part)) << root.text() << ' ' << part.shape.text();
    }
}

TEST(FootprintTest, TheBoxHoldsEveryElementAndIsExactOnlyIfItHoldsNoOther) {
    Views views(5);
    int exact = 0;
    int denied = 0;
    for (int round = 0; round < 5000; ++round) {
        const Extents root = views.shape(static_cast<int>(views.below(9)));
        const Layout view = views.view_of(root);
        const RegionBox found = footprint(view, root);
        Extents region = region_shape(root);
        while (region.size() < 3) {
            std::vector<Extent> padded(region.begin(), region.end());
            padded.push_back(1);
            region = Extents(padded);
        }
        std::set<Extent> inside;
        for (Extent i = found.lo[0]; i < found.hi[0]; ++i)
            for (Extent j = found.lo[1]; j < found.hi[1]; ++j)
                for (Extent k = found.lo[2]; k < found.hi[2]; ++k)
                    inside.insert((i * region[1] + j) * region[2] + k);
        const std::set<Extent> touched = element_set(view);
        ASSERT_TRUE(std::includes(inside.begin(), inside.end(), touched.begin(), touched.end()))
            << root.text() << view.shape.text() << view.strides.text();
        if (found.exact) {
            ASSERT_EQ(inside, touched) << root.text() << view.strides.text();
        }
        exact += static_cast<int>(found.exact);
        denied += static_cast<int>(!found.exact && inside == touched);
    }
    EXPECT_GT(exact, 1000);
    EXPECT_LT(denied, 50);
}

}  // namespace footprint_test
