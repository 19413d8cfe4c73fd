#include <gtest/gtest.h>

#include "layout/layouts.hpp"

namespace layout_test {

using namespace layouts;  // NOLINT

TEST(LayoutTest, RowMajorAndColumnMajorNumberTheElementsOfAShape) {
    EXPECT_EQ(Layout::row_major({2, 3}).strides, (Extents{3, 1}));
    EXPECT_EQ(Layout::column_major({2, 3}).strides, (Extents{1, 2}));
    EXPECT_EQ(elements(Layout::row_major({2, 2})), (std::vector<Extent>{0, 1, 2, 3}));
    EXPECT_TRUE(Layout::row_major({2, 3}).is_row_major());
    EXPECT_FALSE(Layout::row_major({2, 3}).is_column_major());
    EXPECT_TRUE(Layout::row_major({7}).is_column_major());
    EXPECT_TRUE(Layout::column_major({2, 0, 3}).is_row_major());
}

TEST(LayoutTest, ASliceHasTheElementsOfItsIndices) {
    const Layout row = Layout::row_major({10});
    EXPECT_EQ(elements(row.slice(0, 2, 3, 3)), (std::vector<Extent>{2, 5, 8}));
    EXPECT_EQ(elements(row.slice(0, 9, -4, 3)), (std::vector<Extent>{9, 5, 1}));
    EXPECT_TRUE(elements(row.slice(0, 10, 1, 0)).empty());
}

TEST(LayoutTest, ADiagonalBecomesTheLastAxis) {
    const Layout root = Layout::row_major({3, 2, 4});
    const Layout diagonal = root.diagonal(1, 0, 2);
    EXPECT_EQ(diagonal.shape, (Extents{2, 3}));
    EXPECT_EQ(elements(diagonal), (std::vector<Extent>{1, 10, 19, 5, 14, 23}));
    EXPECT_EQ(elements(root.diagonal(-2, 0, 2)), (std::vector<Extent>{16, 20}));
    EXPECT_EQ(root.diagonal(9, 0, 2).shape, (Extents{2, 0}));
}

TEST(LayoutTest, BroadcastingRepeatsAxesOfOneElement) {
    const Layout column = Layout::row_major({2, 1});
    const auto wide = column.broadcast_to({3, 2, 2});
    ASSERT_TRUE(wide);
    EXPECT_EQ(elements(*wide), (std::vector<Extent>{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
    EXPECT_FALSE(column.broadcast_to({3, 2}));
    EXPECT_FALSE(column.broadcast_to({2}));
    EXPECT_TRUE(wide->may_repeat_elements());
    const std::vector<Extents> fit = {{3, 1}, {4}, {}};
    EXPECT_EQ(broadcast_shapes(fit), (Extents{3, 4}));
    const std::vector<Extents> empty = {{0, 1}, {1, 4}};
    EXPECT_EQ(broadcast_shapes(empty), (Extents{0, 4}));
    const std::vector<Extents> apart = {{3}, {4}};
    EXPECT_FALSE(broadcast_shapes(apart));
}

TEST(LayoutTest, ShapesPrintAsPythonsTuples) {
    EXPECT_EQ(Extents({}).text(), "()");
    EXPECT_EQ(Extents({3}).text(), "(3,)");
    EXPECT_EQ(Extents({3, 4, 5, 6, 7}).text(), "(3,4,5,6,7)");
}

TEST(LayoutTest, ExtentsKeepTheirValuesWhenCopiedAndMovedInsideAndOutside) {
    for (const int count : {0, 1, 4, 5, 32}) {
        Extents values(count, 0);
        for (int i = 0; i < count; ++i) values[i] = 7 * i;
        Extents copy = values;
        const Extents moved = std::move(copy);
        EXPECT_EQ(moved, values);
        EXPECT_TRUE(copy.empty());  // NOLINT: a moved-from list is empty
        copy = moved;
        EXPECT_EQ(copy, values);
        copy = Extents{1, 2};
        EXPECT_EQ(copy, (Extents{1, 2}));
    }
}

TEST(LayoutTest, AReshapedViewHasTheSameElementsInTheSameOrder) {
    Views views(1);
    int reshaped_views = 0;
    for (int round = 0; round < 3000; ++round) {
        const Layout view = views.view_of(views.shape(static_cast<int>(views.below(6))));
        const Extent divisor = 1 + views.below(6);
        if (view.size() % divisor != 0) continue;
        const Extents shape{divisor, 1, view.size() / divisor};
        if (const auto reshaped = view.reshaped(shape)) {
            ++reshaped_views;
            EXPECT_EQ(elements(*reshaped), elements(view));
        }
        if (const auto by_columns = view.reshaped(shape, true)) {
            EXPECT_EQ(elements(by_columns->transposed()), elements(view.transposed()));
        }
        EXPECT_FALSE(view.reshaped({view.size() + 1}));
    }
    EXPECT_GT(reshaped_views, 500);
}

TEST(LayoutTest, TheHullIsTheLeastAndTheGreatestElement) {
    Views views(2);
    for (int round = 0; round < 3000; ++round) {
        const Layout view = views.view_of(views.shape(static_cast<int>(views.below(7))));
        const std::vector<Extent> all = elements(view);
        const auto hull = view.hull();
        ASSERT_EQ(hull.has_value(), !all.empty());
        if (!hull) continue;
        EXPECT_EQ(hull->first, *std::min_element(all.begin(), all.end()));
        EXPECT_EQ(hull->second, *std::max_element(all.begin(), all.end()));
    }
}

TEST(LayoutTest, RepeatedElementsAreNeverDenied) {
    Views views(3);
    int repeats = 0;
    int wrongly_said = 0;
    for (int round = 0; round < 3000; ++round) {
        const Layout view = views.view_of(views.shape(static_cast<int>(views.below(7))));
        const bool repeated = element_set(view).size() != static_cast<std::size_t>(view.size());
        if (repeated) {
            EXPECT_TRUE(view.may_repeat_elements());
        }
        repeats += static_cast<int>(repeated);
        wrongly_said += static_cast<int>(!repeated && view.may_repeat_elements());
    }
    EXPECT_GT(repeats, 50);
    EXPECT_LT(wrongly_said, 50);
}

}  // namespace layout_test
