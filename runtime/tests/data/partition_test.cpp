#include "refrain/partition.hpp"

#include "data/error_text.hpp"
#include "data/partition_checks.hpp"
#include "data/point_oracle.hpp"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <type_traits>
#include <vector>

namespace refrain::partition_test {
namespace {

static_assert(std::is_same_v<decltype(tiles(extents(4, 4), {2, 2})), Partition<2, 2>>);
static_assert(std::is_same_v<decltype(rows(extents(4, 4), 2)), Partition<2, 1>>);
static_assert(std::is_same_v<decltype(whole(extents(4, 4), extents(2))), Partition<2, 1>>);
static_assert(std::is_nothrow_copy_constructible_v<Partition<3, 2>>);

/// Counts, point by point, how many colours each point has.
template <int R, int C>
void expect_properties_of_content(const Partition<R, C>& p) {
    std::map<Point<R>, int> colours_of;
    for (const Point<R>& point : p.space()) colours_of[point] = 0;
    for (const Point<C>& colour : p.colours()) {
        const IndexSpace<R> subset = p[colour];
        for (const Point<R>& point : subset.points()) {
            ASSERT_TRUE(colours_of.contains(point)) << point << " is not in the space";
            ++colours_of[point];
        }
    }
    bool disjoint = true;
    bool complete = true;
    for (const auto& [point, count] : colours_of) {
        disjoint = disjoint && count <= 1;
        complete = complete && count >= 1;
    }
    EXPECT_EQ(p.is_disjoint(), disjoint);
    EXPECT_EQ(p.is_complete(), complete);
}

template <int C>
std::vector<Rect<1>> line(const Partition<1, C>& p) {
    std::vector<Rect<1>> rects;
    for (const Point<C>& c : p.colours()) rects.push_back(p[c].bounds());
    return rects;
}

TEST(Tiles, cover_a_line_as_evenly_as_possible) {
    const auto p = tiles(extents(10), 4);
    EXPECT_EQ(line(p), (std::vector<Rect<1>>{{0, 3}, {3, 6}, {6, 8}, {8, 10}}));
    EXPECT_TRUE(p.is_disjoint() && p.is_complete());
    EXPECT_EQ(p.colours(), extents(4));
    EXPECT_EQ(p.colour_count(), 4);
    EXPECT_EQ(p.space(), extents(10));
}

TEST(Tiles, of_an_extent_end_with_a_smaller_tile) {
    EXPECT_EQ(line(tiles_of_extent(Rect<1>{-3, 7}, 4)),
              (std::vector<Rect<1>>{{-3, 1}, {1, 5}, {5, 7}}));
    EXPECT_EQ(line(tiles_of_extent(extents(8), 4)), (std::vector<Rect<1>>{{0, 4}, {4, 8}}));
    const auto far = tiles_of_extent(extents(5, 5), {2, std::int64_t{1} << 62});
    EXPECT_EQ(far.colours(), extents(3, 1));
    EXPECT_EQ(far[Point<2>(2, 0)], IndexSpace<2>(Rect<2>{{4, 0}, {5, 5}}));
    expect_properties_of_content(far);
}

TEST(Tiles, beyond_the_number_of_points_are_empty) {
    const auto p = tiles(extents(2), 4);
    EXPECT_EQ(line(p), (std::vector<Rect<1>>{{0, 1}, {1, 2}, {}, {}}));
    EXPECT_TRUE(p.is_disjoint() && p.is_complete());
    EXPECT_TRUE(tiles(extents(0), 3).is_complete());
}

TEST(Tiles, differ_in_extent_by_at_most_one) {
    for (std::int64_t n = 0; n <= 20; ++n) {
        for (std::int64_t count = 1; count <= 24; ++count) {
            std::int64_t sum = 0;
            for (const Rect<1>& tile : line(tiles(Rect<1>{-3, n - 3}, count))) {
                EXPECT_GE(tile.volume(), n / count);
                EXPECT_LE(tile.volume(), (n + count - 1) / count);
                sum += tile.volume();
            }
            EXPECT_EQ(sum, n);
        }
    }
}

TEST(Tiles, are_disjoint_and_complete_in_every_rank) {
    for (std::int64_t n = 1; n <= 7; ++n) {
        for (std::int64_t count = 1; count <= 4; ++count) {
            const auto cube = tiles(Rect<3>{{-n, 1, 0}, {2, n + 1, 3}}, {count, 2, count});
            const auto plane = tiles_of_extent(Rect<2>{{0, -2}, {n, 3}}, {count, 2});
            expect_properties_of_content(cube);
            expect_properties_of_content(plane);
            EXPECT_TRUE(cube.is_disjoint() && cube.is_complete());
            EXPECT_TRUE(plane.is_disjoint() && plane.is_complete());
        }
    }
}

TEST(Strips, are_whole_rows_or_whole_columns) {
    const Rect<2> space{{0, 10}, {5, 14}};
    const auto bands = rows(space, 2);
    EXPECT_EQ(bands[0], IndexSpace<2>(Rect<2>{{0, 10}, {3, 14}}));
    EXPECT_EQ(bands[1], IndexSpace<2>(Rect<2>{{3, 10}, {5, 14}}));
    const auto pillars = columns(space, 2);
    EXPECT_EQ(pillars[0], IndexSpace<2>(Rect<2>{{0, 10}, {5, 12}}));
    EXPECT_EQ(pillars[1], IndexSpace<2>(Rect<2>{{0, 12}, {5, 14}}));
    expect_properties_of_content(bands);
    expect_properties_of_content(pillars);
}

TEST(Whole, gives_the_space_to_every_colour) {
    const auto p = whole(extents(3, 3), extents(2));
    EXPECT_EQ(p[1], IndexSpace<2>(extents(3, 3)));
    EXPECT_TRUE(p.is_complete());
    EXPECT_FALSE(p.is_disjoint());
    EXPECT_TRUE(whole(extents(3, 3), extents(1)).is_disjoint());
    expect_properties_of_content(p);
}

TEST(Rectangles, belong_to_colours_in_row_major_order) {
    const auto p = rectangles(extents(6), Rect<2>{{1, 1}, {2, 4}}, {{0, 2}, {4, 6}, {1, 1}});
    EXPECT_EQ(p[Point<2>(1, 2)], IndexSpace<1>(Rect<1>{4, 6}));
    EXPECT_TRUE(p[Point<2>(1, 3)].empty());
    EXPECT_TRUE(p.is_disjoint());
    EXPECT_FALSE(p.is_complete());
}

TEST(Subsets, of_random_shape_are_disjoint_and_complete_exactly_if_their_points_are) {
    const data::Box grid{{0, 0, 0}, {4, 4, 1}};
    int disjoint = 0;
    int complete = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::vector<IndexSpace<2>> list(1 + seed % 5);
        for (auto& s : list)
            s = IndexSpace<2>(data::BoxSet::of_boxes(data::random_boxes(random, grid, 4)));
        const auto p = subsets(extents(4, 4), extents(list.size()), list);
        expect_properties_of_content(p);
        disjoint += p.is_disjoint();
        complete += p.is_complete();
    }
    EXPECT_GT(disjoint, 20) << "too few cases";
    EXPECT_GT(complete, 20) << "too few cases";
}

TEST(Partition, copies_share_data_and_compare_by_content) {
    const auto p = tiles(extents(10), 4);
    const auto copy = p;
    EXPECT_EQ(&copy.data(), &p.data());
    EXPECT_EQ(p, tiles(extents(10), 4));
    EXPECT_NE(p, tiles(extents(10), 5));
    EXPECT_EQ(tiles(extents(9), 3), tiles_of_extent(extents(9), 3));
}

TEST(Partition, refuses_a_colour_outside_of_its_colours) {
    const auto p = tiles(extents(10, 10), {2, 2});
    expect_phrases(error_text([&] { (void)p[Point<2>(0, 2)]; }), "colour (0,2)", "[0,2)x[0,2)",
                   "launch over colours()");
}

TEST(TilesErrors, name_the_argument_both_values_and_the_way_out) {
    expect_phrases(error_text([] {
                       (void)tiles(extents(10, 8), {2, 0});
                   }),
                   "tiles: counts is (2,0)", "dimension 1", "[0,10)x[0,8)", "must be at least 1");
    expect_phrases(error_text([] { (void)tiles(extents(10), -3); }), "tiles: counts is -3");
    expect_phrases(error_text([] { (void)tiles_of_extent(extents(10), 0); }),
                   "tiles_of_extent: extents is 0", "[0,10)", "must be at least 1");
    expect_phrases(error_text([] { (void)tiles_of_extent(extents(0), 2); }), "space is empty",
                   "use tiles");
    expect_phrases(error_text([] { (void)rows(extents(4, 4), 0); }), "rows: count is 0",
                   "[0,4)x[0,4)", "at least 1");
    expect_phrases(error_text([] { (void)columns(extents(4, 4), -1); }), "columns: count is -1");
    expect_phrases(error_text([] { (void)tiles(extents(10), std::int64_t{1} << 40); }),
                   "tiles: counts is 1099511627776", "makes 1099511627776 colours",
                   "at most 67108864", "fewer pieces");
    const std::int64_t big = std::int64_t{1} << 40;
    expect_phrases(error_text([&] {
                       (void)tiles(extents(big, big), {2, 2});
                   }),
                   "tiles: space is", "use smaller extents");
    expect_phrases(error_text([&] {
                       (void)tiles(extents(5, 5), {big, big});
                   }),
                   "tiles: counts is (1099511627776,1099511627776)", "makes 2^63 or more colours");
    expect_phrases(error_text([&] {
                       (void)tiles_of_extent(extents(big, 1 << 20), {1024, 1});
                   }),
                   "tiles_of_extent: extents is (1024,1)", "makes 1125899906842624 colours");
    expect_phrases(error_text([&] { (void)columns(extents(4, 4), big); }),
                   "columns: count is 1099511627776", "at most 67108864");
}

/// Calls the checks alone: 2^26 subsets would take gigabytes.
TEST(TilesErrors, begin_exactly_above_the_most_colours) {
    const auto allows = [](std::int64_t a, std::int64_t b, std::int64_t c) {
        try {
            data::check_counts({a, b, c}, {a, b, c}, 3, "tiles", "counts");
            data::check_colours({{}, {a, b, c}}, 3, "whole");
            return true;
        } catch (const UsageError&) {
            EXPECT_THROW(data::check_colours({{}, {a, b, c}}, 3, "whole"), UsageError);
            return false;
        }
    };
    const std::int64_t most = std::int64_t{1} << 26;
    EXPECT_TRUE(allows(most, 1, 1));
    EXPECT_FALSE(allows(most + 1, 1, 1));
    EXPECT_TRUE(allows(1 << 13, 1 << 12, 2));
    EXPECT_FALSE(allows(1 << 13, (1 << 12) + 1, 2));
    EXPECT_FALSE(allows((std::int64_t{1} << 62) + 1, 4, 1)) << "2^64 + 4 is 4 in 64 bits";
    EXPECT_FALSE(allows(std::int64_t{1} << 32, std::int64_t{1} << 32, 1)) << "0 in 64 bits";
    EXPECT_FALSE(allows(std::numeric_limits<std::int64_t>::max(), 1, 1));
}

TEST(SubsetsErrors, begin_exactly_above_the_largest_space) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(tiles(extents(most), 2)[0].volume(), (most / 2) + 1);
    EXPECT_EQ(tiles(Rect<1>{-most, 0}, 1)[0].volume(), most);
    EXPECT_EQ(whole(Rect<2>{{0, -3}, {most / 7, 4}}, extents(2))[1].volume(), most / 7 * 7);
    expect_phrases(error_text([&] {
                       (void)tiles(Rect<1>{-1, most}, 2);
                   }),
                   "tiles: space is [-1,9223372036854775807)", "more than 9223372036854775807",
                   "use smaller extents");
    expect_phrases(error_text([&] {
                       (void)whole(Rect<2>{{0, -3}, {most / 7 + 1, 4}}, extents(2));
                   }),
                   "whole: space is", "use smaller extents");
    expect_phrases(error_text([&] {
                       (void)whole(extents(4), Rect<1>{-most, most});
                   }),
                   "whole: colours is [-9223372036854775807,9223372036854775807)");
    expect_phrases(error_text([&] { (void)rectangles(extents(most, 2), extents(1), {}); }),
                   "rectangles: space is");
}

TEST(SubsetsErrors, name_the_argument_both_values_and_the_way_out) {
    const Rect<1> space = extents(10);
    expect_phrases(error_text([&] {
                       (void)rectangles(space, extents(1), {{0, 2}, {2, 4}});
                   }),
                   "rectangles: list has 2 entries", "colours is [0,1)", "add colours");
    expect_phrases(error_text([&] {
                       (void)rectangles(space, extents(3), {{0, 2}, {2, 4}});
                   }),
                   "list has 2 entries", "has 3", "drop colours");
    expect_phrases(error_text([&] {
                       (void)rectangles(space, extents(2), {{0, 2}, {8, 11}});
                   }),
                   "rectangles: list[1] is [8,11)", "space [0,10)", "intersect it with the space");
    expect_phrases(
        error_text([&] {
            (void)subsets(space, extents(1), {IndexSpace<1>{Rect<1>{-1, 0}, Rect<1>{4, 5}}});
        }),
        "subsets: list[0] is {[-1,0), [4,5)}", "[0,10)");
    expect_phrases(error_text([&] { (void)whole(space, extents(0)); }), "whole: colours is empty");
}

TEST(PartitionInterner, a_partition_made_repeatedly_gets_one_id) {
    const auto make = [] { return halo(tiles(extents(1237), 5), 3); };
    (void)make();
    const auto second = make();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(make().data().id, second.data().id);
}

TEST(PartitionInterner, different_partitions_get_different_ids) {
    // They differ in the subsets, the space, the box of colours, or the ranks.
    for (int round = 0; round < 4; ++round) {
        const auto a = tiles(extents(1000), 4);
        const auto b = tiles(extents(1000), 5);
        const auto c = halo(tiles(extents(1000), 4), 1);
        const auto d = tiles(extents(1000, 1), {4, 1});
        const auto e = rows(extents(1000, 1), 4);
        const auto f = whole(extents(1000), extents(4));
        const auto g = whole(extents(1000), Rect<1>{1, 5});
        const std::set<std::uint64_t> ids = {a.data().id, b.data().id, c.data().id, d.data().id,
                                             e.data().id, f.data().id, g.data().id};
        EXPECT_EQ(ids.size(), 7U) << "round " << round;
    }
}

TEST(PartitionInterner, may_be_used_by_many_threads) {
    std::vector<std::thread> threads;
    std::array<std::uint64_t, 4> ids{};
    for (std::size_t t = 0; t < ids.size(); ++t)
        threads.emplace_back([&ids, t] {
            for (int i = 0; i < 100; ++i) {
                ids[t] = tiles(extents(777), 7).data().id;
                (void)tiles(extents(777 + static_cast<std::int64_t>(t)), 3);
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::uint64_t id : ids) EXPECT_EQ(id, ids[0]);
}

}  // namespace
}  // namespace refrain::partition_test
