#include "data/error_text.hpp"
#include "data/point_oracle.hpp"
#include "refrain/partition.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace refrain::halo_test {
namespace {

/// Every point within the widths of a point of the subset, wrapped or dropped at each edge.
template <int R>
std::set<Point<R>> grown_by_hand(const IndexSpace<R>& subset, const Rect<R>& space,
                                 const Point<R>& low, const Point<R>& high,
                                 const Boundaries<R>& boundaries) {
    std::set<Point<R>> points;
    for (const Point<R>& p : subset.points()) {
        for (Point<R> q : Rect<R>{p - low, p + high + Point<R>::all(1)}) {
            for (int d = 0; d < R; ++d) {
                if (boundaries.along[d] == Boundary::clipped) continue;
                const std::int64_t n = space.extent(d);
                q[d] = space.lo[d] + ((q[d] - space.lo[d]) % n + n) % n;
            }
            if (space.contains(q)) points.insert(q);
        }
    }
    return points;
}

template <int R, int C>
void expect_halo_and_ghost(const Partition<R, C>& interior, const Point<R>& low,
                           const Point<R>& high, const Boundaries<R>& boundaries) {
    const auto with = halo(interior, low, high, boundaries);
    const auto without = ghost(interior, low, high, boundaries);
    EXPECT_EQ(with.space(), interior.space());
    ASSERT_EQ(with.colours(), interior.colours());
    for (const Point<C>& c : interior.colours()) {
        auto expected = grown_by_hand(interior[c], interior.space(), low, high, boundaries);
        ASSERT_EQ(data::points_of(with[c]), expected) << c;
        const IndexSpace<R> inside = interior[c];
        for (const Point<R>& p : inside.points()) expected.erase(p);
        ASSERT_EQ(data::points_of(without[c]), expected) << c;
    }
}

template <int R>
Boundaries<R> random_boundaries(std::mt19937_64& random) {
    Boundaries<R> b = Boundary::clipped;
    for (Boundary& along : b.along) along = random() % 2 ? Boundary::periodic : Boundary::clipped;
    return b;
}

template <int R>
Point<R> random_point(std::mt19937_64& random, std::int64_t below) {
    Point<R> p;
    for (std::int64_t& c : p.coordinate)
        c = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
    return p;
}

template <int R>
void expect_random_halos(std::int64_t extent_max, std::int64_t width_max) {
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Point<R> lo = random_point<R>(random, 9) - Point<R>::all(4);
        const Point<R> extent = random_point<R>(random, extent_max) + Point<R>::all(1);
        const Rect<R> space{lo, lo + extent};
        const auto p = tiles(space, random_point<R>(random, 3) + Point<R>::all(1));
        expect_halo_and_ghost(p, random_point<R>(random, width_max),
                              random_point<R>(random, width_max), random_boundaries<R>(random));
    }
}

TEST(Halo, matches_the_example_in_its_comment) {
    const auto p = tiles(extents(9), 3);
    const auto clipped = halo(p, 1, 1);
    EXPECT_EQ(clipped[0], IndexSpace<1>(Rect<1>{0, 4}));
    EXPECT_EQ(clipped[1], IndexSpace<1>(Rect<1>{2, 7}));
    EXPECT_EQ(clipped[2], IndexSpace<1>(Rect<1>{5, 9}));
    EXPECT_TRUE(clipped.is_complete() && !clipped.is_disjoint());
    const auto periodic = halo(p, 1, 1, Boundary::periodic);
    EXPECT_EQ(periodic[0], (IndexSpace<1>{Rect<1>{0, 4}, Rect<1>{8, 9}}));
    EXPECT_EQ(periodic[2], (IndexSpace<1>{Rect<1>{0, 1}, Rect<1>{5, 9}}));
    EXPECT_EQ(halo(p, 1), clipped);
    EXPECT_EQ(ghost(p, 1)[1], (IndexSpace<1>{Rect<1>{2, 3}, Rect<1>{6, 7}}));
    EXPECT_EQ(halo(p, 0), p);
}

TEST(Halo, of_a_channel_wraps_in_one_dimension_and_is_clipped_in_the_other) {
    const auto p = tiles(extents(6, 4), {2, 1});
    const auto h = halo(p, {1, 1}, {1, 1}, {Boundary::periodic, Boundary::clipped});
    EXPECT_EQ(h[Point<2>(0, 0)], (IndexSpace<2>{Rect<2>{{0, 0}, {4, 4}}, Rect<2>{{5, 0}, {6, 4}}}));
}

TEST(Halo, agrees_with_growing_point_by_point_in_one_dimension) {
    expect_random_halos<1>(12, 16);  // wider than the space: wraps around more than once
}
TEST(Halo, agrees_with_growing_point_by_point_in_two_dimensions) {
    expect_random_halos<2>(7, 4);
}
TEST(Halo, agrees_with_growing_point_by_point_in_three_dimensions) {
    expect_random_halos<3>(5, 3);
}

TEST(Halo, of_subsets_of_any_shape_agrees_with_growing_point_by_point) {
    const data::Box grid{{0, 0, 0}, {8, 8, 1}};
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::vector<IndexSpace<2>> list(3);
        for (auto& s : list)
            s = IndexSpace<2>(data::BoxSet::of_boxes(data::random_boxes(random, grid, 3)));
        expect_halo_and_ghost(subsets(extents(8, 8), extents(3), list), random_point<2>(random, 3),
                              random_point<2>(random, 3), random_boundaries<2>(random));
    }
}

TEST(Halo, wider_than_all_integers_is_the_whole_space) {
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    for (const Rect<1>& space : {Rect<1>{-5, 5}, Rect<1>{30, 40}, Rect<1>{-40, -30}}) {
        const auto p = tiles(space, 2);
        for (const Boundary boundary : {Boundary::clipped, Boundary::periodic}) {
            const auto h = halo(p, highest, highest, boundary);
            EXPECT_EQ(h[0], IndexSpace<1>(space));
            EXPECT_EQ(h[1], IndexSpace<1>(space));
        }
    }
}

TEST(HaloErrors, name_the_argument_both_values_and_the_way_out) {
    const auto p = tiles(extents(9, 9), {3, 3});
    expect_phrases(error_text([&] {
                       (void)halo(p, {1, -2}, {0, 0});
                   }),
                   "halo: low is (1,-2)", "dimension 1", "must not be negative");
    expect_phrases(error_text([&] { (void)ghost(p, {0, 0}, {-1, 0}); }), "ghost: high is (-1,0)");
}

}  // namespace
}  // namespace refrain::halo_test
