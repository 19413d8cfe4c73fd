#include "refrain/rect.hpp"

#include "data/error_text.hpp"
#include "refrain/detail/box.hpp"

#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <sstream>
#include <vector>

namespace refrain::rect_test {
namespace {

static_assert(std::is_convertible_v<int, Point<1>>, "an integer will do for one coordinate");
static_assert(!std::is_constructible_v<Point<2>, int>, "two coordinates take two integers");
static_assert(!std::is_constructible_v<Point<1>, double>, "coordinates are integers");
static_assert(std::forward_iterator<Rect<3>::Iterator>);
static_assert(std::is_same_v<decltype(Point{1, 2}), Point<2>>);
static_assert(extents(2, 3).volume() == 6);

template <class T>
std::string printed(const T& value) {
    std::ostringstream out;
    out << value;
    EXPECT_EQ(out.str(), to_string(value));
    return out.str();
}

TEST(Point, adds_and_subtracts_by_coordinate) {
    EXPECT_EQ((Point<2>{3, 4} + Point<2>{1, -1}), (Point<2>{4, 3}));
    EXPECT_EQ((Point<3>{3, 4, 5} - Point<3>{1, 1, 7}), (Point<3>{2, 3, -2}));
    EXPECT_EQ(Point<1>(3) + 1, 4);
}

TEST(Point, is_ordered_by_row_major_position) {
    const Rect<3> r{{-1, 0, 2}, {2, 2, 5}};
    const std::vector<Point<3>> points(r.begin(), r.end());
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
}

TEST(Point, prints_as_a_number_or_a_tuple) {
    EXPECT_EQ(printed(Point<1>(-7)), "-7");
    EXPECT_EQ(printed(Point<3>{1, 2, 3}), "(1,2,3)");
}

TEST(Rect, prints_half_open_intervals) {
    EXPECT_EQ(printed(Rect<1>{0, 120}), "[0,120)");
    EXPECT_EQ(printed(Rect<2>{{0, 0}, {4, 8}}), "[0,4)x[0,8)");
    EXPECT_EQ(printed(Rect<2>{{0, 3}, {4, 3}}), "empty");
}

TEST(Rect, visits_its_points_in_row_major_order) {
    const Rect<2> r{{1, 2}, {3, 5}};
    const std::vector<Point<2>> points(r.begin(), r.end());
    const std::vector<Point<2>> expected{{1, 2}, {1, 3}, {1, 4}, {2, 2}, {2, 3}, {2, 4}};
    EXPECT_EQ(points, expected);
}

template <int R>
void expect_for_each_visits_what_iteration_visits(const Rect<R>& rect) {
    std::vector<Point<R>> visited;
    rect.for_each([&](const Point<R>& p) { visited.push_back(p); });
    EXPECT_EQ(visited, std::vector<Point<R>>(rect.begin(), rect.end())) << rect;
    EXPECT_EQ(visited.size(), static_cast<std::size_t>(rect.volume())) << rect;
}

TEST(Rect, for_each_visits_the_same_points_in_the_same_order) {
    expect_for_each_visits_what_iteration_visits(Rect<1>{-2, 3});
    expect_for_each_visits_what_iteration_visits(Rect<2>{{-2, 4}, {1, 9}});
    expect_for_each_visits_what_iteration_visits(Rect<3>{{-1, 2, 5}, {1, 5, 6}});
    expect_for_each_visits_what_iteration_visits(Rect<2>{{0, 0}, {3, 0}});
    expect_for_each_visits_what_iteration_visits(Rect<3>{{0, 2, 0}, {3, 1, 4}});
}

TEST(Rect, an_iterator_equals_another_exactly_at_the_same_point) {
    const Rect<2> rect{{0, 0}, {2, 3}};
    auto at = rect.begin();
    for (int i = 0; i < 6; ++i, ++at) {
        auto other = rect.begin();
        for (int j = 0; j < 6; ++j, ++other) EXPECT_EQ(at == other, i == j);
        EXPECT_EQ(other, rect.end());
        EXPECT_NE(at, rect.end());
    }
    EXPECT_EQ(at, rect.end());
    EXPECT_EQ(Rect<2>::Iterator(), Rect<2>::Iterator());
}

TEST(Rect, visits_as_many_points_as_its_volume_even_if_a_dimension_is_empty) {
    for (const Rect<3>& r : {Rect<3>{{0, 0, 0}, {2, 3, 4}}, Rect<3>{{0, 0, 0}, {2, 0, 4}},
                             Rect<3>{{0, 0, 0}, {2, 3, -1}}, Rect<3>{{5, 0, 0}, {2, 3, 4}}}) {
        EXPECT_EQ(std::distance(r.begin(), r.end()), r.volume()) << r;
    }
}

TEST(Rect, all_empty_rectangles_are_equal_and_in_every_rectangle) {
    const Rect<2> a{{0, 0}, {0, 5}};
    const Rect<2> b{{7, 3}, {9, 1}};
    EXPECT_EQ(a, b);
    EXPECT_NE(a, extents(1, 1));
    EXPECT_TRUE(extents(1, 1).contains(b));
    EXPECT_TRUE(b.grown({9, 9}).empty());
}

TEST(Rect, intersects_contains_shifts_and_grows_as_its_points_do) {
    const Rect<2> a{{0, 0}, {4, 6}};
    const Rect<2> b{{2, 4}, {8, 9}};
    EXPECT_EQ(a.intersection(b), (Rect<2>{{2, 4}, {4, 6}}));
    EXPECT_TRUE(a.overlaps(b));
    EXPECT_FALSE(a.overlaps(b.shifted({2, 0})));
    EXPECT_TRUE(a.contains(Point<2>{3, 5}));
    EXPECT_FALSE(a.contains(Point<2>{3, 6}));
    EXPECT_FALSE(a.contains(b));
    EXPECT_EQ(a.grown({1, 0}, {0, 2}), (Rect<2>{{-1, 0}, {4, 8}}));
}

TEST(Box, keeps_row_major_positions_of_every_rank) {
    const Rect<3> r{{-2, 1, 5}, {1, 4, 7}};
    const data::Box box = data::box_of(r);
    std::int64_t position = 0;
    for (const Point<3>& p : r) {
        EXPECT_EQ(data::linear_index(box, data::coordinates_of(p)), position);
        EXPECT_EQ(data::point_of<3>(data::point_at(box, position)), p);
        ++position;
    }
    EXPECT_EQ(data::rect_of<3>(box), r);
    EXPECT_EQ(data::box_of(Rect<1>{2, 9}).volume(), 7);
    EXPECT_EQ(data::box_of(Rect<1>{9, 2}), data::Box{});
}

TEST(Box, a_volume_that_overflows_is_an_error_that_names_the_rectangle) {
    const std::int64_t big = std::int64_t{1} << 32;
    const auto volume = [](const auto& rect) {
        return data::checked_volume(data::box_of(rect), std::decay_t<decltype(rect)>::rank, "tiles",
                                    "space");
    };
    EXPECT_EQ(volume(extents(big - 1, big / 2)), (big - 1) * (big / 2));
    expect_phrases(error_text([&] { volume(extents(big, big)); }), "tiles: space is",
                   "[0,4294967296)x[0,4294967296)", "more than 9223372036854775807 points",
                   "use smaller extents");
    const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    expect_phrases(error_text([&] {
                       volume(Rect<1>{lowest, 1});
                   }),
                   "more than 9223372036854775807");
}

}  // namespace
}  // namespace refrain::rect_test
