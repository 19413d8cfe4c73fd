#include "refrain/detail/box_set.hpp"

#include "data/point_oracle.hpp"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <random>
#include <utility>

namespace refrain::data::box_set_test {
namespace {

/// All subsets of a small grid, as bit masks over its points in row-major order.
class Grid {
  public:
    explicit Grid(const Box& box) : box_(box) {
        for (unsigned mask = 0; mask < count(); ++mask) sets_.push_back(make(mask));
    }
    [[nodiscard]] unsigned count() const { return 1U << box_.volume(); }
    [[nodiscard]] const BoxSet& set(unsigned mask) const { return sets_[mask]; }
    [[nodiscard]] unsigned mask(const BoxSet& set) const {
        unsigned mask = 0;
        for (const Coordinates& p : points_of(set)) mask |= 1U << linear_index(box_, p);
        return mask;
    }
    [[nodiscard]] std::vector<Coordinates> points(unsigned mask) const {
        std::vector<Coordinates> points;
        for (int i = 0; i < box_.volume(); ++i)
            if (mask >> i & 1) points.push_back(point_at(box_, i));
        return points;
    }

  private:
    [[nodiscard]] BoxSet make(unsigned mask) const {
        std::vector<Coordinates> all = points(mask);
        return BoxSet::of_points(all);
    }

    Box box_;
    std::vector<BoxSet> sets_;
};

class EverySubset : public ::testing::TestWithParam<Box> {
  protected:
    Grid grid{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(BoxSet, EverySubset,
                         ::testing::Values(Box{{-3, 0, 0}, {6, 1, 1}}, Box{{0, 5, 0}, {3, 8, 1}},
                                           Box{{0, 0, 0}, {2, 4, 1}}, Box{{0, 0, 0}, {2, 2, 2}},
                                           Box{{0, 0, 0}, {4, 1, 2}}));

TEST_P(EverySubset, consists_of_exactly_its_points_in_disjoint_boxes) {
    for (unsigned mask = 0; mask < grid.count(); ++mask) {
        const BoxSet& set = grid.set(mask);
        ASSERT_EQ(grid.mask(set), mask);
        ASSERT_EQ(set.volume(), std::popcount(mask));  // boxes that overlap would count twice
        ASSERT_EQ(set.empty(), mask == 0);
        ASSERT_EQ(set.is_box(), set.boxes().size() <= 1);
        ASSERT_TRUE(std::is_sorted(set.boxes().begin(), set.boxes().end(),
                                   [](const Box& a, const Box& b) { return a.lo < b.lo; }));
    }
}

TEST_P(EverySubset, has_one_normal_form_however_it_is_made) {
    std::mt19937 random(1);
    for (unsigned mask = 0; mask < grid.count(); ++mask) {
        std::vector<Box> boxes;
        BoxSet one_by_one;
        std::vector<Coordinates> points = grid.points(mask);
        std::shuffle(points.begin(), points.end(), random);
        for (const Coordinates& p : points) {
            boxes.push_back({p, {p[0] + 1, p[1] + 1, p[2] + 1}});
            one_by_one = one_by_one.unite(boxes.back());
        }
        ASSERT_EQ(BoxSet::of_boxes(boxes), grid.set(mask));
        ASSERT_EQ(one_by_one, grid.set(mask));
        ASSERT_EQ(one_by_one.hash(), grid.set(mask).hash());
        boxes.insert(boxes.end(), grid.set(mask).boxes().begin(), grid.set(mask).boxes().end());
        ASSERT_EQ(BoxSet::of_boxes(boxes), grid.set(mask)) << "overlapping boxes";
    }
}

TEST_P(EverySubset, combines_with_every_other_like_sets_of_points) {
    for (unsigned a = 0; a < grid.count(); ++a) {
        for (unsigned b = 0; b < grid.count(); ++b) {
            const BoxSet& x = grid.set(a);
            const BoxSet& y = grid.set(b);
            ASSERT_EQ(x == y, a == b) << a << ' ' << b;
            ASSERT_EQ(x.unite(y), grid.set(a | b)) << a << ' ' << b;
            ASSERT_EQ(x.intersect(y), grid.set(a & b)) << a << ' ' << b;
            ASSERT_EQ(x.subtract(y), grid.set(a & ~b)) << a << ' ' << b;
            ASSERT_EQ(x.overlaps(y), (a & b) != 0) << a << ' ' << b;
            ASSERT_EQ(x.contains(y), (a & b) == b) << a << ' ' << b;
        }
    }
}

TEST_P(EverySubset, contains_its_points_and_no_others) {
    const PointSet all = points_of(GetParam());
    for (unsigned mask = 0; mask < grid.count(); ++mask) {
        for (const Coordinates& p : all) {
            const bool expected = mask >> linear_index(GetParam(), p) & 1;
            ASSERT_EQ(grid.set(mask).contains(p), expected);
        }
    }
}

TEST(BoxSet, is_cut_into_slabs_along_the_first_dimension_then_the_second) {
    // The picture of the header.
    const std::vector<Box> made{
        {{0, 0, 0}, {3, 1, 1}}, {{0, 1, 0}, {2, 3, 1}}, {{2, 3, 0}, {3, 4, 1}}};
    const std::vector<Box> expected{
        {{0, 0, 0}, {2, 3, 1}}, {{2, 0, 0}, {3, 1, 1}}, {{2, 3, 0}, {3, 4, 1}}};
    const BoxSet set = BoxSet::of_boxes(made);
    EXPECT_TRUE(std::ranges::equal(set.boxes(), expected));
    EXPECT_EQ(set.bounds(), (Box{{0, 0, 0}, {3, 4, 1}}));
    EXPECT_EQ(set.to_string(2), "{[0,2)x[0,3), [2,3)x[0,1), [2,3)x[3,4)}");
    EXPECT_EQ(BoxSet(expected[0]).to_string(2), "[0,2)x[0,3)");
}

TEST(BoxSet, agrees_with_sets_of_points_on_random_boxes_of_every_rank) {
    for (const Box& grid :
         {Box{{-40, 0, 0}, {60, 1, 1}}, Box{{0, -9, 0}, {17, 9, 1}}, Box{{0, 0, 0}, {7, 8, 9}}}) {
        for (std::uint64_t seed = 0; seed < 150; ++seed) {
            SCOPED_TRACE(seed);
            std::mt19937_64 random(seed);
            const std::vector<Box> a = random_boxes(random, grid, 12);
            const std::vector<Box> b = random_boxes(random, grid, 12);
            const PointSet in_a = points_of(a);
            const PointSet in_b = points_of(b);
            const BoxSet x = BoxSet::of_boxes(a);
            const BoxSet y = BoxSet::of_boxes(b);
            PointSet both;
            PointSet only_a;
            PointSet either = in_a;
            either.insert(in_b.begin(), in_b.end());
            std::ranges::set_intersection(in_a, in_b, std::inserter(both, both.end()));
            std::ranges::set_difference(in_a, in_b, std::inserter(only_a, only_a.end()));
            ASSERT_EQ(points_of(x.unite(y)), either);
            ASSERT_EQ(points_of(x.intersect(y)), both);
            ASSERT_EQ(points_of(x.subtract(y)), only_a);
            ASSERT_EQ(x.overlaps(y), !both.empty());
            ASSERT_EQ(x.contains(y), both == in_b);
            ASSERT_TRUE(x.unite(y).contains(y));
            ASSERT_EQ(x.subtract(y).unite(x.intersect(y)), x);
            ASSERT_EQ(static_cast<std::size_t>(x.volume()), in_a.size());
        }
    }
}

TEST(BoxSet, unite_all_equals_repeated_unite) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::vector<BoxSet> sets(random() % 20);
        BoxSet together;
        for (BoxSet& set : sets) {
            set = BoxSet::of_boxes(random_boxes(random, {{0, 0, 0}, {9, 9, 3}}, 3));
            together = together.unite(set);
        }
        ASSERT_EQ(BoxSet::unite_all(sets), together);
    }
}

TEST(BoxSet, works_at_the_limits_of_int64) {
    constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    const BoxSet low(Box{{lowest, 0, 0}, {-1, 1, 1}});
    const BoxSet high(Box{{1, 0, 0}, {highest, 1, 1}});
    const BoxSet both = low.unite(high);
    EXPECT_EQ(both.boxes().size(), 2U);
    EXPECT_EQ(both.subtract(high), low);
    EXPECT_EQ(both.intersect(high), high);
    EXPECT_FALSE(both.contains(Coordinates{0, 0, 0}));
    EXPECT_TRUE(both.contains(Coordinates{highest - 1, 0, 0}));
}

TEST(BoxSet, is_empty_after_it_has_been_moved_from) {
    BoxSet box(Box{{0, 0, 0}, {3, 1, 1}});
    BoxSet pair = box.subtract(Box{{1, 0, 0}, {2, 1, 1}});
    const BoxSet pair_copy = pair;
    const BoxSet taken_box = std::move(box);
    const BoxSet taken_pair = std::move(pair);
    EXPECT_EQ(box, BoxSet{});
    EXPECT_EQ(pair, BoxSet{});
    EXPECT_EQ(taken_pair, pair_copy);
    pair = pair_copy;
    BoxSet target = taken_box;
    target = std::move(pair);
    EXPECT_EQ(target, pair_copy);
    EXPECT_TRUE(pair.empty() && pair.boxes().empty());
}

TEST(BoxSet, hashes_of_small_sets_differ) {
    const Grid grid(Box{{0, 0, 0}, {3, 4, 1}});
    std::set<std::uint64_t> hashes;
    for (unsigned mask = 0; mask < grid.count(); ++mask) hashes.insert(grid.set(mask).hash());
    EXPECT_EQ(hashes.size(), grid.count());
}

}  // namespace
}  // namespace refrain::data::box_set_test
