#include "runtime/harness.hpp"

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>

namespace refrain::reduction_test {
namespace {

constexpr int points = 12;

/// The value of one element to which each of `points` tasks contributes its own value.
template <class Op, class T, class Value>
T reduced(const Options& options, T start, const Value& value) {
    Runtime runtime(options);
    const auto x = runtime.create_region<T>(extents(1), "x");
    runtime.fill(x, start);
    runtime.launch(
        "contribute", extents(points),
        [value](Point<1> p, ReduceView<Op, T, 1> v) { v.reduce(0, value(static_cast<T>(p[0]))); },
        reduce<Op>(x));
    return values_of(runtime, x)[0];
}

class Reductions : public ::testing::TestWithParam<bool> {
  protected:
    static Options options() {
        Options o = plain(4);
        o.deterministic_reductions = GetParam();
        return o;
    }
};
INSTANTIATE_TEST_SUITE_P(, Reductions, ::testing::Bool(), [](const auto& parameter) {
    return parameter.param ? "deterministic" : "in_any_order";
});

TEST_P(Reductions, sum_multiply_and_find_extremes) {
    const auto same = [](auto i) { return i; };
    EXPECT_EQ((reduced<Sum, std::int64_t>(options(), 100, same)), 166);
    EXPECT_EQ((reduced<Sum, double>(options(), 0.5, same)), 66.5);
    EXPECT_EQ((reduced<Product, std::int64_t>(options(), 3, [](auto i) { return 1 + i % 3; })),
              3 * 6 * 6 * 6 * 6);
    EXPECT_EQ((reduced<Minimum, float>(options(), 5, [](auto i) { return 7 - i; })), -4);
    EXPECT_EQ((reduced<Minimum, float>(options(), -9, [](auto i) { return 7 - i; })), -9);
    EXPECT_EQ((reduced<Maximum, std::int8_t>(options(), -128, same)), 11);
}

TEST_P(Reductions, fold_bits) {
    using Bits = std::uint32_t;
    const auto bit = [](Bits i) { return Bits{1} << i; };
    EXPECT_EQ((reduced<BitOr, Bits>(options(), 1U << 20, bit)), (1U << 20) + (1U << points) - 1);
    EXPECT_EQ((reduced<BitAnd, Bits>(options(), ~0U, [](Bits i) { return ~(1U << i); })),
              ~0U << points);
    EXPECT_EQ((reduced<BitXor, Bits>(options(), 5, [](Bits) { return 3U; })), 5U);
}

/// The longest of many segments; the leftmost of equally long ones.
struct Segment {
    std::int32_t begin, length;
    friend bool operator==(const Segment&, const Segment&) = default;
};
struct Longest {
    static Segment identity() { return {0, 0}; }
    static void fold(Segment& into, const Segment& s) {
        if (s.length > into.length || (s.length == into.length && s.begin < into.begin)) into = s;
    }
};

TEST_P(Reductions, accept_user_defined_operators) {
    Runtime runtime(options());
    const auto longest = runtime.create_region<Segment>(extents(1), "longest");
    runtime.fill(longest, Longest::identity());
    runtime.launch(
        "offer", extents(100),
        [](Point<1> p, ReduceView<Longest, Segment, 1> v) {
            const auto i = static_cast<std::int32_t>(p[0]);
            v.reduce(0, {i, i % 10});
        },
        reduce<Longest>(longest));
    EXPECT_EQ(values_of(runtime, longest)[0], (Segment{9, 9}));
}

TEST_P(Reductions, through_aliased_partitions_reach_every_element_once_per_subset) {
    Runtime runtime(options());
    const auto x = runtime.create_region<std::int64_t>(extents(6, 6), "x");
    runtime.fill(x, 0);
    const auto covered = halo(tiles(x.bounds(), {3, 3}), {1, 1});
    for (int round = 0; round < 10; ++round)
        runtime.launch(
            "add", covered.colours(),
            [](ReduceView<Sum, std::int64_t, 2> v) {
                for (const Point<2>& p : v.points()) v.reduce(p, 1);
            },
            reduce<Sum>(x, covered));
    const auto view = runtime.read(x);
    const std::int64_t along[] = {1, 2, 2, 2, 2, 1};  // tiles whose halo covers a row
    for (const Point<2>& p : view.domain()) EXPECT_EQ(view[p], 10 * along[p[0]] * along[p[1]]) << p;
}

TEST_P(Reductions, include_earlier_values_and_are_visible_to_later_tasks) {
    Runtime runtime(options());
    const auto x = runtime.create_region<std::int64_t>(extents(8), "x");
    const auto pairs = tiles(x.bounds(), 4);
    const auto add = [](std::int64_t n) {
        return [n](ReduceView<Sum, std::int64_t, 1> v) {
            for (const Point<1>& p : v.domain()) v.reduce(p, n);
        };
    };
    runtime.fill(x, 1);
    runtime.launch("add", pairs.colours(), add(10), reduce<Sum>(x, pairs));
    runtime.launch(
        "double",
        [](View<std::int64_t, 1> v) {
            for (const Point<1>& p : v.domain()) v[p] *= 2;
        },
        read_write(x));
    runtime.launch("add", pairs.colours(), add(100), reduce<Sum>(x, pairs));
    EXPECT_EQ(values_of(runtime, x), std::vector<std::int64_t>(8, 122));
}

TEST_P(Reductions, with_different_operators_run_in_launch_order) {
    Runtime runtime(options());
    const auto x = runtime.create_region<std::int64_t>(extents(1), "x");
    runtime.fill(x, 1);
    std::int64_t expected = 1;
    for (std::int64_t round = 0; round < 20; ++round) {
        runtime.launch(
            "add", extents(3),
            [](Point<1> p, ReduceView<Sum, std::int64_t, 1> v) { v.reduce(0, p[0]); },
            reduce<Sum>(x));
        runtime.launch(
            "raise", extents(3),
            [round](Point<1>, ReduceView<Maximum, std::int64_t, 1> v) { v.reduce(0, 5 * round); },
            reduce<Maximum>(x));
        expected = std::max(expected + 3, 5 * round);
    }
    EXPECT_EQ(values_of(runtime, x)[0], expected);
}

TEST_P(Reductions, of_two_arguments_into_one_region_both_count) {
    Runtime runtime(options());
    const auto x = runtime.create_region<std::int64_t>(extents(4), "x");
    const auto each = tiles(x.bounds(), 4);
    runtime.fill(x, 0);
    runtime.launch(
        "scatter", each.colours(),
        [](ReduceView<Sum, std::int64_t, 1> own, ReduceView<Sum, std::int64_t, 1> all) {
            for (const Point<1>& p : own.domain()) own.reduce(p, 10);
            for (const Point<1>& p : all.domain()) all.reduce(p, 1);
        },
        reduce<Sum>(x, each), reduce<Sum>(x));
    EXPECT_EQ(values_of(runtime, x), std::vector<std::int64_t>(4, 14));
}

TEST_P(Reductions, of_a_failed_point_are_dropped_and_others_kept) {
    Runtime runtime(options());
    const auto x = runtime.create_region<std::int64_t>(extents(3), "x");
    const auto each = tiles(x.bounds(), 3);
    runtime.fill(x, 1);
    runtime.launch(
        "add", each.colours(),
        [](Point<1> p, ReduceView<Sum, std::int64_t, 1> v) {
            v.reduce(p, 10);
            if (p[0] == 1) throw std::runtime_error("no");
        },
        reduce<Sum>(x, each));
    const auto value = [&](std::int64_t colour) {
        return runtime.launch(
            "look", [](View<const std::int64_t, 1> v) { return v[v.domain().lo]; },
            read(x, each, Point<1>(colour)));
    };
    EXPECT_EQ(value(0).get(), 11);
    EXPECT_THROW(static_cast<void>(value(1).get()), TaskError);
    EXPECT_EQ(value(2).get(), 11);
}

/// One point finds no memory for its partial result; later points must not wait for it.
TEST_P(Reductions, of_a_point_without_memory_do_not_block_others) {
    constexpr std::int64_t n = std::int64_t{1} << 17;
    Options limited = options();
    limited.workers = 1;
    limited.limits.region_bytes = 8 * n + 8 * n / 4;
    Runtime runtime(limited);
    const auto x = runtime.create_region<std::int64_t>(extents(n), "x");
    const auto uneven = rectangles(x.bounds(), extents(3), {{0, 16}, {16, n - 16}, {n - 16, n}});
    runtime.fill(x, 1);
    runtime.launch(
        "add", uneven.colours(),
        [](ReduceView<Sum, std::int64_t, 1> v) {
            for (const Point<1>& p : v.domain()) v.reduce(p, 10);
        },
        reduce<Sum>(x, uneven));
    try {
        runtime.wait_all();
        FAIL() << "the partial result of point 1 is larger than what is left";
    } catch (const TaskError& error) {
        EXPECT_THROW(std::rethrow_exception(error.cause()), OutOfMemory);
    }
    const auto last = runtime.launch(
        "look", [](View<const std::int64_t, 1> v) { return v[v.domain().lo]; },
        read(x, uneven, Point<1>(2)));
    EXPECT_EQ(last.get(), 11);
}

/// An operator that refuses a value, after the contributing task has ended.
struct Superstitious {
    static int identity() { return 0; }
    static void fold(int& into, const int& value) {
        if (value == 13) throw std::runtime_error("unlucky");
        into += value;
    }
};

TEST_P(Reductions, whose_operator_throws_fail_their_task) {
    Runtime runtime(options());
    const auto x = runtime.create_region<int>(extents(1000), "x");
    runtime.fill(x, 0);
    runtime.launch(
        "add", extents(3),
        [](Point<1> p, ReduceView<Superstitious, int, 1> v) {
            for (const Point<1>& q : v.domain()) v.reduce(q, p[0] == 1 ? 7 : 1);
            for (const Point<1>& q : v.domain()) v.reduce(q, p[0] == 1 ? 6 : 1);
        },
        reduce<Superstitious>(x));
    try {
        runtime.wait_all();
        FAIL() << "13 was folded";
    } catch (const TaskError& error) {
        EXPECT_EQ(error.original_message(), "unlucky");
    }
    runtime.fill(x, 2);
    EXPECT_EQ(values_of(runtime, x), std::vector<int>(1000, 2));
}

/// Of 2 MiB, far more than what is dense.
constexpr std::int64_t many = std::int64_t{1} << 18;

TEST(SparseReductions, take_memory_for_what_they_touch) {
    Options options = plain(2);
    options.limits.region_bytes = static_cast<std::uint64_t>(8 * many) + (512U << 10);
    Runtime runtime(options);
    const auto x = runtime.create_region<std::int64_t>(extents(many), "x");
    runtime.fill(x, 1);
    runtime.launch(
        "add", extents(32),
        [](Point<1> p, ReduceView<Sum, std::int64_t, 1> v) {
            v.reduce(p[0] % 3, 10);
            v.reduce(many - 1, p[0]);
        },
        reduce<Sum>(x));
    const auto values = values_of(runtime, x);
    EXPECT_EQ(std::vector(values.begin(), values.begin() + 4),
              (std::vector<std::int64_t>{111, 111, 101, 1}));
    EXPECT_EQ(values.back(), 1 + 31 * 32 / 2);
    EXPECT_EQ(std::accumulate(values.begin(), values.end(), std::int64_t{0}),
              many + 320 + 31 * 32 / 2);
    EXPECT_EQ(runtime.statistics().storage.bytes_in_use, static_cast<std::size_t>(8 * many));
}

TEST(SparseReductions, change_nothing_outside_of_their_subsets) {
    Runtime runtime(plain(2));
    const Rect<2> square = extents(300, 300);
    const auto x = runtime.create_region<double>(square, "x");
    runtime.fill(x, 1);
    const auto corners =
        subsets(square, extents(2),
                std::vector<IndexSpace<2>>{
                    IndexSpace<2>{Rect<2>{{0, 0}, {20, 3}}, Rect<2>{{299, 297}, {300, 300}}},
                    IndexSpace<2>{Rect<2>{{10, 0}, {200, 300}}, Rect<2>{{290, 5}, {291, 6}}}});
    runtime.launch(
        "add", corners.colours(),
        [](Point<1> p, ReduceView<Sum, double, 2> v) {
            for (const Point<2>& q : v.points())
                v.reduce(q, p[0] == 0 ? 2 : static_cast<double>(q[0]));
        },
        reduce<Sum>(x, corners));
    const auto view = runtime.read(x);
    square.for_each([&](Point<2> p) {
        double expected = 1;
        if (corners[Point<1>(0)].contains(p)) expected += 2;
        if (corners[Point<1>(1)].contains(p)) expected += static_cast<double>(p[0]);
        ASSERT_EQ(view[p], expected) << p[0] << ", " << p[1];
    });
}

/// A sum that counts the identities made for it.
struct IdentityCountingSum {
    static std::atomic<std::int64_t>& made() {
        static std::atomic<std::int64_t> count{0};
        return count;
    }
    static std::int64_t identity() {
        ++made();
        return 0;
    }
    static void fold(std::int64_t& into, std::int64_t value) { into += value; }
};

TEST(SparseReductions, end_where_a_launch_site_turns_out_to_touch_most_elements) {
    Runtime runtime(plain(1));
    const auto x = runtime.create_region<std::int64_t>(extents(many), "x");
    runtime.fill(x, 0);
    const auto identities_of_adding_to = [&](std::int64_t count) {
        IdentityCountingSum::made() = 0;
        runtime.launch(
            "add",
            [](ReduceView<IdentityCountingSum, std::int64_t, 1> v, std::int64_t elements) {
                for (std::int64_t i = 0; i < elements; ++i) v.reduce(i, 1);
            },
            reduce<IdentityCountingSum>(x), count);
        runtime.wait_all();
        return IdentityCountingSum::made().load();
    };
    EXPECT_LT(identities_of_adding_to(1), many / 100);
    EXPECT_GE(identities_of_adding_to(many / 2 + many / 16), many / 2);
    EXPECT_LT(identities_of_adding_to(1), many / 100) << "one dense task does not decide for all";
    for (int dense = 0; dense < 3; ++dense)
        EXPECT_GE(identities_of_adding_to(many / 2 + many / 16), many / 2);
    EXPECT_GE(identities_of_adding_to(1), many);
    EXPECT_EQ(values_of(runtime, x)[0], 7);
    EXPECT_EQ(values_of(runtime, x)[many / 2], 4);
}

TEST(SparseReductions, give_their_memory_back_if_the_operator_throws) {
    Runtime runtime(plain(2));
    const auto x = runtime.create_region<int>(extents(many), "x");
    runtime.fill(x, 0);
    runtime.launch(
        "add",
        [](ReduceView<Superstitious, int, 1> v) {
            v.reduce(many / 2, 7);
            v.reduce(many / 2, 6);
        },
        reduce<Superstitious>(x));
    EXPECT_THROW(runtime.wait_all(), TaskError);
    EXPECT_EQ(runtime.statistics().storage.bytes_in_use, static_cast<std::size_t>(4 * many));
}

/// Two tasks reduce the same element at the same time: each waits for the other.
TEST(ReductionsInAnyOrder, run_in_parallel_on_the_same_data) {
    Runtime runtime(plain(2));
    const auto x = runtime.create_region<std::int64_t>(extents(1), "x");
    runtime.fill(x, 0);
    std::atomic<int> arrived{0};
    std::atomic<int> met{0};
    for (int task = 0; task < 2; ++task)
        runtime.launch(
            "meet",
            [&](ReduceView<Sum, std::int64_t, 1> v) {
                ++arrived;
                met += comes_true([&] { return arrived == 2; }) ? 1 : 0;
                v.reduce(0, 1);
            },
            reduce<Sum>(x));
    EXPECT_EQ(values_of(runtime, x)[0], 2);
    EXPECT_EQ(met, 2);
}

double summand(std::int64_t i) {
    return std::sin(static_cast<double>(i)) * std::pow(10.0, static_cast<double>(i % 17) - 8);
}

/// Three launches over 64 points into one element, values of very different size.
double deterministic_sum(unsigned workers) {
    Options options = plain(workers);
    options.deterministic_reductions = true;
    Runtime runtime(options);
    const auto x = runtime.create_region<double>(extents(1), "x");
    runtime.fill(x, 0.1);
    for (std::int64_t launch = 0; launch < 3; ++launch)
        runtime.launch(
            "add", extents(64),
            [launch](Point<1> p, ReduceView<Sum, double, 1> v) {
                v.reduce(0, summand(64 * launch + p[0]));
            },
            reduce<Sum>(x));
    return values_of(runtime, x)[0];
}

std::uint64_t bits(double value) {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    return word;
}

TEST(DeterministicReductions, give_the_bits_of_a_sequential_fold_in_every_run) {
    double expected = 0.1;
    for (std::int64_t i = 0; i < 192; ++i) expected += summand(i);
    double backwards = 0;
    for (std::int64_t i = 191; i >= 0; --i) backwards += summand(i);
    ASSERT_NE(bits(expected), bits(backwards + 0.1)) << "otherwise the order would not matter";
    for (int run = 0; run < 100; ++run)
        ASSERT_EQ(bits(deterministic_sum(4)), bits(expected)) << run;
    EXPECT_EQ(bits(deterministic_sum(1)), bits(expected));
}

/// Point 0 is late. Later points finish long before, and the readers of their tiles must see their
/// contributions. They did not while partial results were kept back until all earlier points had
/// folded.
TEST(DeterministicReductions, of_points_that_finish_early_are_visible_to_their_readers) {
    Options options = plain(3);
    options.deterministic_reductions = true;
    Gate gate;
    Runtime runtime(options);
    const auto x = runtime.create_region<std::int64_t>(extents(4), "x");
    const auto each = tiles(x.bounds(), 4);
    runtime.fill(x, 1);
    runtime.launch(
        "add", each.colours(),
        [&gate](Point<1> p, ReduceView<Sum, std::int64_t, 1> v) {
            if (p[0] == 0) gate.pass();
            v.reduce(p, 10);
        },
        reduce<Sum>(x, each));
    const auto seen = runtime.launch(
        "look", each.colours(), [](Point<1> p, View<const std::int64_t, 1> v) { return v[p]; },
        read(x, each));
    gate.await(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.open();
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(seen.get(i), 11) << i;
}

std::atomic<int> identities = 0;

struct CountedSum {
    static std::int64_t identity() {
        ++identities;
        return 0;
    }
    static void fold(std::int64_t& into, std::int64_t value) { into += value; }
};

/// Two far elements per point: their bounds have a million.
TEST_P(Reductions, take_as_many_identities_as_a_subset_has_elements_not_its_bounds) {
    constexpr std::int64_t n = 1'000'000;
    Runtime runtime(options());
    const auto x = runtime.create_region<std::int64_t>(extents(n), "x");
    runtime.fill(x, 1);
    const IndexSpace<1> ends{Rect<1>{0, 1}, Rect<1>{n - 1, n}};
    const auto pieces = subsets(extents(n), extents(points),
                                std::vector<IndexSpace<1>>(static_cast<std::size_t>(points), ends));
    identities = 0;
    runtime.launch(
        "ends", pieces.colours(),
        [](Point<1> p, ReduceView<CountedSum, std::int64_t, 1> v) {
            v.reduce(0, p[0]);
            v.reduce(n - 1, 1);
        },
        reduce<CountedSum>(x, pieces));
    const std::vector<std::int64_t> values = values_of(runtime, x);
    EXPECT_EQ(values.front(), 1 + points * (points - 1) / 2);
    EXPECT_EQ(values[1], 1);
    EXPECT_EQ(values.back(), 1 + points);
    EXPECT_LE(identities, 2 * points);
}

}  // namespace
}  // namespace refrain::reduction_test
