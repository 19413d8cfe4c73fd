#include "runtime/harness.hpp"

#include <atomic>
#include <numeric>

namespace refrain::index_launch_test {
namespace {

using Numbers = Region<std::int64_t, 1>;

/// 0, 1, 2, ...
Numbers counting(Runtime& runtime, std::int64_t n) {
    const Numbers region = runtime.create_region<std::int64_t>(extents(n), "counting");
    std::vector<std::int64_t> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 0);
    set_values(runtime, region, values);
    return region;
}

/// For each colour of a partition, the sum of the elements that its task sees.
template <int R, int C>
std::vector<std::int64_t> sums(Runtime& runtime, const Region<std::int64_t, R>& region,
                               const Partition<R, C>& partition) {
    const auto futures = runtime.launch(
        "sum", partition.colours(),
        [](View<const std::int64_t, R> v) {
            std::int64_t sum = 0;
            for (const Point<R>& p : v.points()) sum += v[p];
            return sum;
        },
        read(region, partition));
    std::vector<std::int64_t> result;
    for (const Point<C>& colour : partition.colours()) result.push_back(futures.get(colour));
    return result;
}
using Sums = std::vector<std::int64_t>;

TEST(IndexLaunch, gives_each_point_its_tile_ragged_ends_included) {
    Runtime runtime(plain());
    const Numbers x = counting(runtime, 10);
    EXPECT_EQ(sums(runtime, x, tiles(x.bounds(), 4)), (Sums{0 + 1 + 2, 3 + 4 + 5, 6 + 7, 8 + 9}));
    EXPECT_EQ(sums(runtime, x, tiles_of_extent(x.bounds(), 4)),
              (Sums{0 + 1 + 2 + 3, 4 + 5 + 6 + 7, 8 + 9}));
}

TEST(IndexLaunch, runs_points_whose_tiles_are_empty) {
    Runtime runtime(plain());
    const Numbers x = counting(runtime, 3);
    EXPECT_EQ(sums(runtime, x, tiles(x.bounds(), 5)), (Sums{0, 1, 2, 0, 0}));
}

TEST(IndexLaunch, gives_halos_around_tiles) {
    Runtime runtime(plain());
    const Numbers x = counting(runtime, 9);
    const auto interior = tiles(x.bounds(), 3);
    EXPECT_EQ(sums(runtime, x, halo(interior, 1)), (Sums{6, 2 + 12 + 6, 5 + 21}));
    EXPECT_EQ(sums(runtime, x, ghost(interior, 1)), (Sums{3, 2 + 6, 5}));
    EXPECT_EQ(sums(runtime, x, halo(interior, 1, 1, Boundary::periodic)),
              (Sums{8 + 6, 2 + 12 + 6, 5 + 21 + 0}));
}

TEST(IndexLaunch, gives_listed_rectangles_and_subsets) {
    Runtime runtime(plain());
    const Numbers x = counting(runtime, 10);
    EXPECT_EQ(sums(runtime, x, rectangles(x.bounds(), extents(2), {{2, 4}, {3, 6}})),
              (Sums{2 + 3, 3 + 4 + 5}));
    const IndexSpace<1> odd{Rect<1>{1, 2}, Rect<1>{3, 4}, Rect<1>{5, 6}};
    EXPECT_EQ(sums(runtime, x, subsets(x.bounds(), extents(1), {odd})), (Sums{1 + 3 + 5}));
}

TEST(IndexLaunch, gives_rows_columns_and_the_whole_of_a_matrix) {
    Runtime runtime(plain());
    const auto m = runtime.create_region<std::int64_t>(extents(2, 3), "matrix");
    set_values<std::int64_t, 2>(runtime, m, {1, 2, 3, 4, 5, 6});
    EXPECT_EQ(sums(runtime, m, rows(m.bounds(), 2)), (Sums{6, 15}));
    EXPECT_EQ(sums(runtime, m, columns(m.bounds(), 3)), (Sums{5, 7, 9}));
    EXPECT_EQ(sums(runtime, m, whole(m.bounds(), extents(3))), (Sums{21, 21, 21}));
    EXPECT_EQ(sums(runtime, m, tiles(m.bounds(), {2, 2})), (Sums{1 + 2, 3, 4 + 5, 6}));
}

TEST(IndexLaunch, gives_the_image_of_another_regions_values) {
    Runtime runtime(plain());
    const Numbers x = counting(runtime, 8);
    const auto pointers = runtime.create_region<std::int64_t>(extents(4), "pointers");
    set_values<std::int64_t, 1>(runtime, pointers, {5, 6, 6, 0});
    const auto pairs = tiles(pointers.bounds(), 2);
    EXPECT_EQ(sums(runtime, x, runtime.image(x.bounds(), pairs, pointers)), (Sums{5 + 6, 0 + 6}));
    const auto halves = tiles(x.bounds(), 2);
    EXPECT_EQ(sums(runtime, pointers, runtime.preimage(pointers, halves)), (Sums{0, 5 + 6 + 6}));
}

TEST(IndexLaunch, waits_for_the_values_that_define_an_image) {
    Gate gate;
    Runtime runtime(plain());
    const auto pointers = runtime.create_region<Point<2>>(extents(2), "pointers");
    runtime.launch(
        "point",
        [&gate](View<Point<2>, 1> v) {
            gate.pass();
            v[0] = {0, 1};
            v[1] = {1, 0};
        },
        write(pointers));
    gate.await(1);
    gate.open();
    const auto target = runtime.image(extents(2, 2), tiles(pointers.bounds(), 2), pointers);
    EXPECT_TRUE(target[0].contains({0, 1}));
    EXPECT_FALSE(target[0].contains({1, 0}));
    EXPECT_TRUE(target[1].contains({1, 0}));
}

TEST(IndexLaunch, passes_each_task_its_point) {
    Runtime runtime(plain());
    const Rect<3> domain{{-1, 0, 2}, {1, 3, 4}};
    const auto futures =
        runtime.launch("which", domain, [](Point<3> p) { return 100 * p[0] + 10 * p[1] + p[2]; });
    EXPECT_EQ(futures.domain(), domain);
    for (const Point<3>& p : domain) EXPECT_EQ(futures.get(p), 100 * p[0] + 10 * p[1] + p[2]) << p;
}

TEST(IndexLaunch, runs_each_of_many_points_once) {
    Runtime runtime(plain(4));
    for (const std::int64_t n : {1, 7, 8, 9, 64, 1000}) {
        const auto count = runtime.create_region<std::int64_t>(extents(n), "count");
        const auto each = tiles(count.bounds(), n);
        runtime.fill(count, 0);
        for (int round = 0; round < 5; ++round)
            runtime.launch(
                "count", each.colours(), [](Point<1> p, View<std::int64_t, 1> v) { ++v[p]; },
                read_write(count, each));
        EXPECT_EQ(values_of(runtime, count), Sums(static_cast<std::size_t>(n), 5)) << n;
    }
}

TEST(IndexLaunch, may_cover_only_some_of_the_colours) {
    Runtime runtime(plain());
    const Numbers x = counting(runtime, 10);
    const auto partition = tiles(x.bounds(), 5);
    runtime.launch(
        "negate", Rect<1>{1, 3},
        [](View<std::int64_t, 1> v) {
            for (const Point<1>& p : v.domain()) v[p] = -v[p];
        },
        read_write(x, partition));
    EXPECT_EQ(values_of(runtime, x), (Sums{0, 1, -2, -3, -4, -5, 6, 7, 8, 9}));
}

TEST(IndexLaunch, selects_colours_by_a_projection) {
    Runtime runtime(plain());
    const Numbers x = counting(runtime, 8);
    const auto pairs = tiles(x.bounds(), 4);
    const auto backwards = runtime.launch(
        "first", extents(4), [](View<const std::int64_t, 1> v) { return v[v.domain().lo]; },
        read(x, pairs, [](Point<1> p) { return Point<1>(3 - p[0]); }));
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(backwards.get(i), 2 * (3 - i));
}

TEST(IndexLaunch, projects_between_domains_and_colours_of_different_ranks) {
    Runtime runtime(plain());
    const auto m = runtime.create_region<std::int64_t>(extents(2, 4), "matrix");
    set_values<std::int64_t, 2>(runtime, m, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto blocks = tiles(m.bounds(), {2, 2});
    const auto futures = runtime.launch(
        "sum", extents(4),
        [](View<const std::int64_t, 2> v) {
            std::int64_t sum = 0;
            for (const Point<2>& p : v.domain()) sum += v[p];
            return sum;
        },
        read(m, blocks, [](Point<1> p) { return Point<2>(p[0] / 2, p[0] % 2); }));
    EXPECT_EQ(futures.get(0), 1 + 2);
    EXPECT_EQ(futures.get(1), 3 + 4);
    EXPECT_EQ(futures.get(2), 5 + 6);
    EXPECT_EQ(futures.get(3), 7 + 8);
}

TEST(IndexLaunch, may_write_and_read_different_pieces_of_one_region) {
    Runtime runtime(plain());
    const Numbers x = counting(runtime, 8);
    const auto left = rectangles(x.bounds(), extents(2), {{0, 2}, {2, 4}});
    const auto right = rectangles(x.bounds(), extents(2), {{4, 6}, {6, 8}});
    runtime.launch(
        "copy", extents(2),
        [](View<const std::int64_t, 1> from, View<std::int64_t, 1> to) {
            for (const Point<1>& p : to.domain()) to[p] = from[p + 4];
        },
        read(x, right), write(x, left));
    EXPECT_EQ(values_of(runtime, x), (Sums{4, 5, 6, 7, 4, 5, 6, 7}));
}

TEST(IndexLaunch, over_an_empty_domain_does_nothing) {
    Runtime runtime(plain());
    const auto futures = runtime.launch("nothing", Rect<1>{3, 3}, [](Point<1>) { return 1; });
    EXPECT_TRUE(futures.domain().empty());
    runtime.wait_all();
    EXPECT_EQ(runtime.statistics().launches.operations, 0U);
}

/// Two points that must run at the same time: each waits for the other.
TEST(IndexLaunch, runs_its_points_in_parallel) {
    Runtime runtime(plain(2));
    std::atomic<int> arrived{0};
    const auto met = runtime.launch("meet", extents(2), [&arrived](Point<1>) {
        ++arrived;
        return comes_true([&] { return arrived == 2; });
    });
    EXPECT_TRUE(met.get(0));
    EXPECT_TRUE(met.get(1));
}

TEST(SingleTask, runs_on_the_piece_of_a_colour) {
    Runtime runtime(plain());
    const Numbers x = counting(runtime, 10);
    const auto partition = tiles(x.bounds(), 4);
    for (const Point<1>& colour : partition.colours())
        runtime.launch(
            "add",
            [](View<std::int64_t, 1> v, std::int64_t n) {
                for (const Point<1>& p : v.domain()) v[p] = n;
            },
            write(x, partition, colour), 10 * colour[0]);
    EXPECT_EQ(values_of(runtime, x), (Sums{0, 0, 0, 10, 10, 10, 20, 20, 30, 30}));
}

/// Callables of every kind, and scalars that own memory.
void triple(View<std::int64_t, 1> v) {
    for (const Point<1>& p : v.domain()) v[p] *= 3;
}
struct AddUp {
    std::int64_t start;
    std::int64_t operator()(View<const std::int64_t, 1> v) const {
        std::int64_t sum = start;
        for (const Point<1>& p : v.domain()) sum += v[p];
        return sum;
    }
};

TEST(SingleTask, is_any_callable) {
    Runtime runtime(plain());
    const Numbers x = counting(runtime, 4);
    runtime.launch("function", triple, read_write(x));
    EXPECT_EQ(runtime.launch("object", AddUp{100}, read(x)).get(), 100 + 18);
    std::int64_t calls = 0;
    EXPECT_EQ(runtime.launch("mutable", [calls]() mutable { return ++calls; }).get(), 1);
    const auto values = std::make_shared<std::vector<int>>(3, 5);
    EXPECT_EQ(runtime.launch("owner", [values] { return (*values)[2]; }).get(), 5);
}

TEST(SingleTask, gets_copies_of_scalars_that_live_until_it_has_run) {
    Gate gate;
    Runtime runtime(plain());
    const auto x = runtime.create_region<std::int64_t>(extents(1), "x");
    runtime.launch(
        "wait",
        [&gate](View<std::int64_t, 1> v) {
            gate.pass();
            v[0] = 0;
        },
        write(x));
    auto alive = std::make_shared<int>(0);
    {
        std::vector<std::int64_t> weights{1, 20, 300};
        runtime.launch(
            "use",
            [](View<std::int64_t, 1> v, const std::vector<std::int64_t>& w,
               const std::shared_ptr<int>&, std::int64_t one) {
                for (const std::int64_t each : w) v[0] += each * one;
            },
            read_write(x), weights, alive, 1);
        weights.assign(3, -1);
    }
    EXPECT_EQ(alive.use_count(), 2);
    gate.open();
    EXPECT_EQ(values_of(runtime, x)[0], 321);
    runtime.wait_all();
    EXPECT_EQ(alive.use_count(), 1);
}

TEST(SingleTask, may_have_more_arguments_than_the_fast_path_takes) {
    Runtime runtime(plain());
    std::array<Numbers, 20> r;
    for (std::size_t i = 0; i < r.size(); ++i) {
        r[i] = runtime.create_region<std::int64_t>(extents(1), "one of many");
        runtime.fill(r[i], static_cast<std::int64_t>(i));
    }
    const auto sum = runtime.launch(
        "sum", [](auto... v) { return (v[0] + ...); }, read(r[0]), read(r[1]), read(r[2]),
        read(r[3]), read(r[4]), read(r[5]), read(r[6]), read(r[7]), read(r[8]), read(r[9]),
        read(r[10]), read(r[11]), read(r[12]), read(r[13]), read(r[14]), read(r[15]), read(r[16]),
        read(r[17]), read(r[18]), read(r[19]));
    EXPECT_EQ(sum.get(), 190);
}

/// A callable that throws on its second copy, into the launch.
struct CopiesOnce {
    int copies = 0;
    CopiesOnce() = default;
    CopiesOnce(const CopiesOnce& other) : copies(other.copies + 1) {
        if (copies > 1) throw std::runtime_error("one copy is enough");
    }
    CopiesOnce& operator=(const CopiesOnce&) = delete;
    int operator()(View<std::int64_t, 1>, int value) const { return value; }
};

TEST(SingleTask, whose_copy_fails_is_not_launched) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<std::int64_t>(extents(1), "x");
    const auto value = runtime.launch("value", [] { return 1; });
    const CopiesOnce task;
    EXPECT_THROW(runtime.launch("copy", task, write(x), value), std::runtime_error);
    EXPECT_THROW(static_cast<void>(runtime.read(x)), UsageError) << "no task has written it";
    EXPECT_EQ(runtime
                  .launch(
                      "after", [](int v) { return v; }, value)
                  .get(),
              1);
    EXPECT_EQ(runtime.statistics().launches.operations, 2U);
}

}  // namespace
}  // namespace refrain::index_launch_test
