#include "data/error_text.hpp"
#include "data/point_oracle.hpp"
#include "refrain/partition.hpp"

#include <gtest/gtest.h>
#include <random>

namespace refrain::image_test {
namespace {

template <class T>
std::span<const T> loan(const std::vector<T>& values) {
    return values;
}

template <int R>
std::int64_t position(const Rect<R>& space, const Point<R>& p) {
    return data::linear_index(data::box_of(space), data::coordinates_of(p));
}

template <int R>
std::vector<Point<R>> random_points(std::mt19937_64& random, const Rect<R>& within,
                                    std::int64_t count) {
    std::vector<Point<R>> points(static_cast<std::size_t>(count));
    for (Point<R>& p : points)
        for (int d = 0; d < R; ++d) {
            const auto extent = static_cast<std::uint64_t>(within.extent(d));
            p[d] = within.lo[d] + static_cast<std::int64_t>(random() % extent);
        }
    return points;
}

TEST(Image, matches_the_example_in_its_comment) {
    const std::vector<std::int64_t> values{5, 6, 6, 0};
    const auto p = image(extents(8), tiles(extents(4), 2), loan(values));
    EXPECT_EQ(p[0], IndexSpace<1>(Rect<1>{5, 7}));
    EXPECT_EQ(p[1], (IndexSpace<1>{Rect<1>{0, 1}, Rect<1>{6, 7}}));
    EXPECT_FALSE(p.is_disjoint() || p.is_complete());
}

TEST(Preimage, matches_the_example_in_its_comment) {
    const std::vector<std::int64_t> values{5, 6, 6, 0};
    const auto p = preimage(extents(4), loan(values), tiles(extents(8), 2));
    EXPECT_EQ(p[0], IndexSpace<1>(Rect<1>{3, 4}));
    EXPECT_EQ(p[1], IndexSpace<1>(Rect<1>{0, 3}));
    EXPECT_TRUE(p.is_disjoint() && p.is_complete());
}

/// Random pointers from an R-dimensional space with odd bounds into a T-dimensional one.
template <int R, int T>
void expect_image_and_preimage_as_loops(const Rect<R>& source_space, const Rect<T>& target_space) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const auto values = random_points(random, target_space, source_space.volume());
        const auto value = [&](const Point<R>& e) {
            return values[static_cast<std::size_t>(position(source_space, e))];
        };
        const auto source = halo(tiles(source_space, Point<R>::all(2)), Point<R>::all(1));
        const auto to = image(target_space, source, loan(values));
        EXPECT_EQ(to.space(), target_space);
        for (const Point<R>& c : source.colours()) {
            std::set<Point<T>> expected;
            const IndexSpace<R> subset = source[c];
            for (const Point<R>& e : subset.points()) expected.insert(value(e));
            ASSERT_EQ(data::points_of(to[c]), expected) << c;
        }
        const auto target = ghost(tiles(target_space, Point<T>::all(2)), Point<T>::all(1));
        const auto from = preimage(source_space, loan(values), target);
        EXPECT_EQ(from.space(), source_space);
        for (const Point<T>& c : target.colours()) {
            std::set<Point<R>> expected;
            for (const Point<R>& e : source_space)
                if (target[c].contains(value(e))) expected.insert(e);
            ASSERT_EQ(data::points_of(from[c]), expected) << c;
        }
    }
}

TEST(Image, agrees_with_a_loop_over_elements_between_all_ranks) {
    expect_image_and_preimage_as_loops(Rect<1>{-4, 30}, Rect<1>{10, 60});
    expect_image_and_preimage_as_loops(Rect<1>{-4, 30}, Rect<1>{-80, 120});  // few values in it
    expect_image_and_preimage_as_loops(Rect<2>{{1, 2}, {6, 9}}, Rect<1>{-20, 20});
    expect_image_and_preimage_as_loops(Rect<1>{5, 45}, Rect<2>{{0, -3}, {7, 4}});
    expect_image_and_preimage_as_loops(Rect<3>{{0, 1, 2}, {3, 5, 7}},
                                       Rect<3>{{2, 2, 2}, {6, 5, 7}});
}

TEST(Image, integers_and_one_dimensional_points_give_the_same_result) {
    std::mt19937_64 random(3);
    const auto points = random_points(random, extents(50), 40);
    std::vector<std::int64_t> integers;
    for (const Point<1>& p : points) integers.push_back(p[0]);
    const auto source = tiles(extents(40), 5);
    const auto target = tiles(extents(50), 5);
    EXPECT_EQ(image(extents(50), source, loan(points)), image(extents(50), source, loan(integers)));
    EXPECT_EQ(preimage(extents(40), loan(points), target),
              preimage(extents(40), loan(integers), target));
}

TEST(Image, a_negative_value_may_mean_no_target) {
    const std::vector<std::int64_t> values{2, -1, -7, 2};
    const auto p = image(extents(4), tiles(extents(4), 2), loan(values), Negative::points_nowhere);
    EXPECT_EQ(p[0], IndexSpace<1>(Rect<1>{2, 3}));
    EXPECT_EQ(p[1], IndexSpace<1>(Rect<1>{2, 3}));
}

TEST(Preimage, an_element_whose_value_is_in_no_subset_gets_no_colour) {
    const std::vector<std::int64_t> values{2, -1, 100, 3};
    const auto p = preimage(extents(4), loan(values), rectangles(extents(4), extents(1), {{3, 4}}));
    EXPECT_EQ(p[0], IndexSpace<1>(Rect<1>{3, 4}));
    EXPECT_FALSE(p.is_complete());
}

TEST(ImageErrors, name_the_element_both_values_and_the_way_out) {
    const std::vector<std::int64_t> beyond{0, 1, 9, 0};
    const std::vector<std::int64_t> negative{0, 1, 0, -1};
    const auto source = tiles(extents(2, 2), {1, 2});
    expect_phrases(error_text([&] { (void)image(extents(8), source, loan(beyond)); }),
                   "image: values at element (1,0) is 9", "target space [0,8)",
                   "correct the value");
    expect_phrases(error_text([&] { (void)image(extents(8), source, loan(negative)); }),
                   "element (1,1) is -1", "Negative::points_nowhere");
    expect_phrases(error_text([&] {
                       (void)image(extents(8), source, loan(beyond), Negative::points_nowhere);
                   }),
                   "element (1,0) is 9");
    const std::vector<std::int64_t> few{0, 1, 2};
    expect_phrases(error_text([&] { (void)image(extents(8), source, loan(few)); }),
                   "image: values has 3 entries", "source.space() is [0,2)x[0,2) and has 4 points",
                   "row-major order");
    expect_phrases(error_text([&] { (void)preimage(extents(4), loan(few), tiles(extents(8), 2)); }),
                   "preimage: values has 3 entries", "source_space is [0,4) and has 4 points");
}

}  // namespace
}  // namespace refrain::image_test
