#include "data/storage_pool.hpp"
#include "refrain/detail/box_set.hpp"
#include "refrain/partition.hpp"

#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <random>

#include "allocations/allocations.hpp"

namespace refrain::data::box_set_cost_test {
namespace {

/// Far above what n log n needs, also under sanitizers, and far below what n^2 needs.
constexpr double seconds_max = 4;

double seconds_since(std::clock_t start) {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Box interval(std::int64_t lo, std::int64_t hi) {
    return {{lo, 0, 0}, {hi, 1, 1}};
}

TEST(BoxSetCost, one_box_never_allocates) {
    const Box a{{0, 0, 0}, {8, 8, 8}};
    const Box b{{2, 2, 2}, {9, 9, 9}};
    std::vector<Box> around_a{{{-1, -1, -1}, {9, 9, 9}}};
    const std::uint64_t before = testing::allocations();
    const BoxSet x = a;
    BoxSet y = b;
    const BoxSet copy = x;
    const bool relations = x.overlaps(y) && !x.contains(y) && x == copy && x.hash() == copy.hash();
    const BoxSet common = x.intersect(y);
    const BoxSet same = x.unite(common);
    const BoxSet nothing = common.subtract(x);
    const BoxSet untouched = x.subtract(Box{{8, 0, 0}, {9, 1, 1}});
    y = std::move(y).intersect(x);
    const std::uint64_t after = testing::allocations();
    EXPECT_EQ(after - before, 0U);
    EXPECT_TRUE(relations);
    EXPECT_EQ(same, x);
    EXPECT_EQ(y, common);
    EXPECT_EQ(untouched, x);
    EXPECT_TRUE(nothing.empty());
}

TEST(BoxSetCost, queries_on_many_boxes_do_not_allocate) {
    std::vector<Box> odd;
    for (std::int64_t i = 0; i < 100; ++i) odd.push_back({{i, i % 2, 0}, {i + 1, i % 2 + 5, 1}});
    const BoxSet a = BoxSet::of_boxes(odd);
    const BoxSet b = a.subtract(odd[50]);
    const std::uint64_t before = testing::allocations();
    const bool answers = a.contains(b) && !b.contains(a) && a.overlaps(b) && a != b &&
                         a.hash() != b.hash() && a.volume() == b.volume() + 5 &&
                         a.contains(Coordinates{50, 0, 0});
    EXPECT_EQ(testing::allocations() - before, 0U);
    EXPECT_TRUE(answers);
}

TEST(BoxSetCost, a_hundred_thousand_intervals_take_n_log_n) {
    constexpr std::int64_t n = 100'000;
    std::vector<Box> even;
    std::vector<Box> wide;
    for (std::int64_t i = 0; i < n; ++i) even.push_back(interval(4 * i, 4 * i + 2));
    for (std::int64_t i = 0; i < n; ++i) wide.push_back(interval(4 * i + 1, 4 * i + 4));
    std::shuffle(even.begin(), even.end(), std::mt19937(1));
    std::shuffle(wide.begin(), wide.end(), std::mt19937(2));
    const std::clock_t start = std::clock();
    const BoxSet a = BoxSet::of_boxes(even);
    const BoxSet b = BoxSet::of_boxes(wide);
    EXPECT_EQ(a.boxes().size(), static_cast<std::size_t>(n));
    EXPECT_EQ(a.unite(b), interval(0, 4 * n));
    EXPECT_EQ(a.intersect(b).volume(), n);
    EXPECT_EQ(a.subtract(b).volume(), n);
    EXPECT_TRUE(a.unite(b).contains(b));
    std::int64_t hits = 0;  // against one box: logarithmic, or these would take minutes
    for (std::int64_t i = 0; i < n; ++i) hits += a.overlaps(interval(4 * i + 2, 4 * i + 4));
    for (std::int64_t i = 0; i < n; ++i) hits += a.intersect(interval(4 * i, 4 * i + 9)).volume();
    EXPECT_EQ(hits, 5 * n - 1 - 3);
    EXPECT_LT(seconds_since(start), seconds_max);
}

/// All of them lie in one slab along dimension 0.
TEST(BoxSetCost, one_of_twenty_thousand_columns_is_found_in_log_n) {
    constexpr std::int64_t n = 20'000;
    const auto column = [](std::int64_t at) { return Box{{0, at, 0}, {4, at + 1, 1}}; };
    std::vector<Box> even;
    for (std::int64_t i = 0; i < n; ++i) even.push_back(column(2 * i));
    const BoxSet all = BoxSet::of_boxes(even);
    const std::clock_t start = std::clock();
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < 2 * n; ++i) {
        found += all.overlaps(column(i)) ? 1 : 0;
        found += all.contains(column(i)) ? 1 : 0;
        found += all.intersect(BoxSet(column(i))).volume();
        found += BoxSet(column(i)).subtract(all).volume();
    }
    EXPECT_EQ(found, 10 * n);
    EXPECT_LT(seconds_since(start), seconds_max);
}

TEST(BoxSetCost, a_hundred_thousand_scattered_points_take_n_log_n) {
    std::mt19937_64 random(7);
    std::vector<std::int64_t> values(100'000);
    for (std::int64_t& v : values) v = static_cast<std::int64_t>(random() % 250'000);
    const std::clock_t start = std::clock();
    const auto source = tiles(extents(values.size()), 4);
    const auto target = image(extents(250'000), source, std::span<const std::int64_t>(values));
    const auto back =
        preimage(extents(values.size()), std::span<const std::int64_t>(values), target);
    for (const Point<1>& c : source.colours()) EXPECT_TRUE(back[c].contains(source[c]));
    EXPECT_LT(seconds_since(start), seconds_max);
}

TEST(BoxSetCost, thousands_of_tiles_are_united_in_n_log_n) {
    const std::clock_t start = std::clock();
    const auto plane = tiles(extents(1000, 777), {100, 100});
    EXPECT_TRUE(plane.is_disjoint() && plane.is_complete());
    const auto around = halo(plane, {1, 1}, {1, 1}, Boundary::periodic);
    EXPECT_TRUE(!around.is_disjoint() && around.is_complete());
    const auto cube = tiles(extents(60, 70, 80), {20, 20, 20});
    EXPECT_TRUE(cube.is_disjoint() && cube.is_complete());
    const auto line = tiles(extents(10'000'000), 100'000);
    EXPECT_TRUE(line.is_disjoint() && line.is_complete());
    EXPECT_TRUE(whole(extents(100), extents(100'000)).is_complete());
    EXPECT_LT(seconds_since(start), seconds_max);
}

TEST(BoxSetCost, a_warm_pool_does_not_allocate) {
    StoragePool pool;
    pool.release(pool.allocate(1000), 1000);
    const std::uint64_t before = testing::allocations();
    pool.release(pool.allocate(1000), 1000);
    EXPECT_EQ(testing::allocations() - before, 0U);
}

}  // namespace
}  // namespace refrain::data::box_set_cost_test
