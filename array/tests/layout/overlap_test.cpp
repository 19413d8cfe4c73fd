#include <gtest/gtest.h>

#include "layout/layouts.hpp"

namespace overlap_test {

using namespace layouts;  // NOLINT

TEST(OverlapTest, EvenAndOddElementsNeverMeet) {
    const Layout row = Layout::row_major({100});
    EXPECT_FALSE(may_overlap(row.slice(0, 0, 2, 50), row.slice(0, 1, 2, 50)));
    EXPECT_TRUE(may_overlap(row.slice(0, 0, 2, 50), row.slice(0, 2, 2, 49)));
    EXPECT_FALSE(may_overlap(row.slice(0, 99, -3, 34), row.slice(0, 1, 3, 33)));
}

TEST(OverlapTest, ABorderIsApartFromTheInterior) {
    const Layout grid = Layout::row_major({41, 41});
    const Layout interior = grid.slice(0, 1, 1, 39).slice(1, 1, 1, 39);
    EXPECT_FALSE(may_overlap(interior, grid.at(0, 0)));
    EXPECT_FALSE(may_overlap(interior, grid.at(0, 40)));
    EXPECT_FALSE(may_overlap(interior, grid.at(1, 0)));
    EXPECT_FALSE(may_overlap(interior, grid.at(1, 40)));
    EXPECT_TRUE(may_overlap(interior, grid.at(1, 39)));
}

TEST(OverlapTest, SharedElementsAreNeverDenied) {
    Views views(4);
    int shared_views = 0;
    int wrongly_said = 0;
    for (int round = 0; round < 3000; ++round) {
        const Extents root = views.shape(static_cast<int>(views.below(5)));
        const Layout a = views.view_of(root);
        const Layout b = views.view_of(root);
        const std::set<Extent> of_a = element_set(a);
        const std::vector<Extent> of_b = elements(b);
        const bool shared = std::any_of(of_b.begin(), of_b.end(),
                                        [&](Extent element) { return of_a.count(element) != 0; });
        const bool said = may_overlap(a, b);
        if (shared) {
            ASSERT_TRUE(said) << a.shape.text() << a.strides.text() << b.shape.text();
        }
        EXPECT_EQ(said, may_overlap(b, a));
        shared_views += static_cast<int>(shared);
        wrongly_said += static_cast<int>(said && !shared);
    }
    EXPECT_GT(shared_views, 500);
    EXPECT_EQ(wrongly_said, 0) << "small views are decided";
}

TEST(OverlapTest, HardQuestionsEndAndAreAnsweredYes) {
    Layout a{Extents(12, 50), Extents(12, 0), 0};
    for (int i = 0; i < 12; ++i) a.strides[i] = 1009 + 2 * i * i;
    Layout b = a;
    b.offset = 1;
    EXPECT_TRUE(may_overlap(a, b));
}

}  // namespace overlap_test
