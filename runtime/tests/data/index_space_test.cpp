#include "refrain/index_space.hpp"

#include "data/error_text.hpp"
#include "data/point_oracle.hpp"

#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <sstream>
#include <vector>

namespace refrain::index_space_test {
namespace {

template <class S>
concept LendsRects = requires(S s) {
    std::forward<S>(s).rects();
};
static_assert(LendsRects<const IndexSpace<1>&>);
static_assert(!LendsRects<IndexSpace<1>>, "a temporary must not lend what dies with it");
static_assert(std::forward_iterator<data::PointRange<2>::Iterator>);
static_assert(std::forward_iterator<data::RectRange<2>::Iterator>);
static_assert(!std::is_convertible_v<Rect<2>, IndexSpace<1>>);

TEST(IndexSpace, matches_the_example_in_its_comment) {
    const IndexSpace<1> a = Rect<1>{0, 10};
    const IndexSpace<1> b{Rect<1>{8, 12}, Rect<1>{20, 22}};
    EXPECT_EQ((a | b).volume(), 14);
    EXPECT_EQ(a & b, (Rect<1>{8, 10}));
    EXPECT_EQ(a - b, (Rect<1>{0, 8}));
    const IndexSpace<1> both = a | b;
    const std::vector<Rect<1>> rects(both.rects().begin(), both.rects().end());
    EXPECT_EQ(rects, (std::vector<Rect<1>>{{0, 12}, {20, 22}}));
    std::vector<Point<1>> points(both.points().begin(), both.points().end());
    ASSERT_EQ(points.size(), 14U);
    EXPECT_EQ(points[11], 11);
    EXPECT_EQ(points[12], 20);
    EXPECT_EQ(to_string(both), "{[0,12), [20,22)}");
    std::ostringstream out;
    out << both;
    EXPECT_EQ(out.str(), to_string(both));
}

TEST(IndexSpace, visits_each_of_its_points_once) {
    const IndexSpace<3> s{Rect<3>{{0, 0, 0}, {2, 2, 2}}, Rect<3>{{1, 1, 1}, {3, 3, 3}},
                          Rect<3>{{4, 0, 0}, {4, 9, 9}}};
    const auto points = data::points_of(s);
    EXPECT_EQ(points.size(), 15U);
    EXPECT_EQ(std::distance(s.points().begin(), s.points().end()), 15);
    for (const Point<3>& p : s.bounds()) EXPECT_EQ(s.contains(p), points.contains(p)) << p;
    const IndexSpace<3> nothing;
    EXPECT_EQ(nothing.points().begin(), nothing.points().end());
    EXPECT_TRUE(nothing.rects().empty());
}

TEST(IndexSpace, of_points_equals_the_union_of_their_rectangles) {
    const std::vector<Point<2>> points{{1, 1}, {0, 1}, {1, 0}, {0, 0}, {1, 1}};
    EXPECT_EQ(IndexSpace<2>::of_points(points), IndexSpace<2>(extents(2, 2)));
    EXPECT_TRUE(IndexSpace<2>::of_points({}).empty());
}

TEST(IndexSpace, compares_and_contains_as_sets) {
    const IndexSpace<2> a = extents(4, 4);
    const IndexSpace<2> hole = a - IndexSpace<2>(Rect<2>{{1, 1}, {2, 2}});
    EXPECT_TRUE(a.contains(hole));
    EXPECT_FALSE(hole.contains(a));
    EXPECT_FALSE(hole.is_rect());
    EXPECT_FALSE(hole.overlaps(Rect<2>{{1, 1}, {2, 2}}));
    EXPECT_EQ(hole | IndexSpace<2>(Rect<2>{{1, 1}, {2, 2}}), a);
    EXPECT_EQ(hole.bounds(), a.bounds());
}

TEST(IndexSpace, refuses_a_volume_that_overflows) {
    const std::int64_t big = std::int64_t{1} << 62;
    expect_phrases(error_text([&] { IndexSpace<2> s = extents(big, big); }), "IndexSpace: rect is",
                   "[0,4611686018427387904)");
    expect_phrases(
        error_text([&] {
            IndexSpace<2> s{Rect<2>{{0, 0}, {1, 1}}, Rect<2>{{big, big}, {big + 1, big + 1}}};
        }),
        "bounds of rects", "use smaller extents");
    const std::vector<Point<1>> last{{std::numeric_limits<std::int64_t>::max()}};
    expect_phrases(error_text([&] { (void)IndexSpace<1>::of_points(last); }),
                   "IndexSpace::of_points: points contains 9223372036854775807",
                   "shift the points");
}

}  // namespace
}  // namespace refrain::index_space_test
