// Bounds are checked in this file whatever the build; view_test.cpp takes what the build gives it.
#ifndef REFRAIN_CHECK_BOUNDS
#define REFRAIN_CHECK_BOUNDS 1
#endif

#include "data/error_text.hpp"
#include "refrain/view.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace refrain::view_bounds_test {
namespace {

class CheckedView : public ::testing::Test {
  protected:
    std::vector<int> elements = std::vector<int>(24);
    data::Box region = data::box_of(extents(4, 6));
    IndexSpace<2> corner{Rect<2>{{0, 0}, {2, 6}}, Rect<2>{{2, 0}, {4, 1}}};
    View<int, 2> view{elements.data(), region, corner.set()};
};

TEST_F(CheckedView, accepts_every_point_of_the_subset) {
    for (const Point<2>& p : view.points()) view[p] = 1;
    EXPECT_EQ(std::count(elements.begin(), elements.end(), 1), corner.volume());
}

TEST_F(CheckedView, an_error_names_the_point_outside_of_the_subset) {
    for (const Point<2>& p : Rect<2>{{-1, -1}, {5, 7}}) {
        if (corner.contains(p)) continue;
        expect_phrases(error_text([&] { view[p] = 1; }), "view: point " + to_string(p),
                       "not in the subset {[0,2)x[0,6), [2,4)x[0,1)}", "halo");
    }
    EXPECT_THROW((void)view(2, 1), UsageError);
}

TEST_F(CheckedView, refuses_a_row_that_leaves_the_subset) {
    EXPECT_NO_THROW((void)view.row(1));
    EXPECT_THROW((void)view.row(2), UsageError);
    EXPECT_NO_THROW((void)view.span(Rect<2>{{2, 0}, {3, 1}}));
}

TEST_F(CheckedView, refuses_a_reduction_outside_of_the_subset) {
    const ReduceView<Sum, int, 2> reducer(elements.data(), region, corner.set());
    reducer.reduce({3, 0}, 4);
    EXPECT_EQ(elements[18], 4);
    EXPECT_THROW(reducer.reduce({3, 1}, 4), UsageError);
}

}  // namespace
}  // namespace refrain::view_bounds_test
