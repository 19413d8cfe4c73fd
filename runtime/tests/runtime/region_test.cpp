#include "runtime/harness.hpp"

#include <complex>
#include <numeric>

namespace refrain::region_test {
namespace {

struct Particle {
    double position[3];
    float mass;
    std::int32_t id;
    friend bool operator==(const Particle&, const Particle&) = default;
};

/// A value for element number `i`, different for neighbours.
template <class T>
T value_number(std::int64_t i) {
    const auto x = static_cast<double>(i);
    if constexpr (std::is_same_v<T, Particle>)
        return {{x, 2 * x, 3 * x}, 0.5F, static_cast<std::int32_t>(i)};
    else if constexpr (std::is_same_v<T, Point<2>>)
        return {i, -i};
    else if constexpr (std::is_same_v<T, std::complex<double>>)
        return {x, -2 * x};
    else
        return static_cast<T>(i % 100);
}

template <class T, int R>
std::int64_t number_of(const Rect<R>& bounds, const Point<R>& p) {
    return data::linear_index(data::box_of(bounds), data::coordinates_of(p));
}

/// A task sets every element, another checks them, and so does the host.
template <class T, int R>
void expect_holds_values(Runtime& runtime, const Rect<R>& bounds) {
    const auto region = runtime.create_region<T>(bounds, "values");
    runtime.launch(
        "set",
        [](View<T, R> v) {
            for (const Point<R>& p : v.domain())
                v[p] = value_number<T>(number_of<T>(v.domain(), p));
        },
        write(region));
    const auto wrong = runtime.launch(
        "check",
        [](View<const T, R> v) {
            int count = 0;
            for (const Point<R>& p : v.domain())
                count += v[p] == value_number<T>(number_of<T>(v.domain(), p)) ? 0 : 1;
            return count;
        },
        read(region));
    EXPECT_EQ(wrong.get(), 0);
    const std::vector<T> values = values_of(runtime, region);
    ASSERT_EQ(values.size(), static_cast<std::size_t>(bounds.volume()));
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_TRUE(values[i] == value_number<T>(static_cast<std::int64_t>(i))) << i;
}

template <class T>
class RegionsOfType : public ::testing::Test {};
// One type per size and kind; other tests hold double and int.
using ElementTypes = ::testing::Types<bool, std::int16_t, float, std::uint64_t,
                                      std::complex<double>, Point<2>, Particle>;
TYPED_TEST_SUITE(RegionsOfType, ElementTypes);

TYPED_TEST(RegionsOfType, hold_values_in_one_two_and_three_dimensions) {
    Runtime runtime(plain());
    expect_holds_values<TypeParam>(runtime, extents(37));
    expect_holds_values<TypeParam>(runtime, extents(5, 9));
    expect_holds_values<TypeParam>(runtime, extents(3, 4, 5));
}

TYPED_TEST(RegionsOfType, may_begin_anywhere) {
    Runtime runtime(plain());
    expect_holds_values<TypeParam>(runtime, Rect<1>{-7, 5});
    expect_holds_values<TypeParam>(runtime, Rect<2>{{10, -3}, {12, 4}});
    expect_holds_values<TypeParam>(runtime, Rect<3>{{-1, -1, 100}, {1, 2, 103}});
}

TEST(Regions, are_destroyed_while_tasks_use_them) {
    Gate gate;
    Runtime runtime(plain());
    const auto result = runtime.create_region<int>(extents(100), "result");
    {
        auto temporary = runtime.create_region<int>(extents(100), "temporary");
        runtime.launch(
            "make",
            [&gate](View<int, 1> v) {
                gate.pass();
                std::iota(v.span().begin(), v.span().end(), 0);
            },
            write(temporary));
        runtime.launch(
            "use",
            [](View<const int, 1> from, View<int, 1> to) {
                for (const Point<1>& p : to.domain()) to[p] = 2 * from[p];
            },
            read(temporary), write(result));
    }
    gate.open();
    const std::vector<int> values = values_of(runtime, result);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], 2 * i);
}

TEST(Regions, are_created_while_tasks_use_others) {
    Gate gate;
    Runtime runtime(plain());
    occupy_a_worker(runtime, gate);
    std::vector<Region<int, 1>> regions;
    for (int i = 0; i < 50; ++i) {
        regions.push_back(runtime.create_region<int>(extents(8), "many"));
        runtime.fill(regions.back(), i);
    }
    for (int i = 0; i < 50; ++i)
        EXPECT_EQ(values_of(runtime, regions[static_cast<std::size_t>(i)]), std::vector<int>(8, i));
    gate.open();
}

/// A region that reuses the memory and the name of another one must inherit nothing else.
TEST(Regions, that_reuse_a_name_and_memory_inherit_nothing_else) {
    for (const unsigned workers : {1U, 4U}) {
        Runtime runtime(plain(workers));
        const auto sum = runtime.create_region<std::int64_t>(extents(1), "sum");
        runtime.fill(sum, 0);
        for (int i = 0; i < 2000; ++i) {
            const auto temporary = runtime.create_region<std::int64_t>(extents(16), "temporary");
            runtime.fill(temporary, i);
            runtime.launch(
                "add",
                [](View<const std::int64_t, 1> v, View<std::int64_t, 1> total) {
                    for (const Point<1>& p : v.domain()) total[0] += v[p];
                },
                read(temporary), read_write(sum));
        }
        EXPECT_EQ(values_of(runtime, sum)[0], 16 * 1999 * 2000 / 2);
    }
}

TEST(Regions, live_as_long_as_any_handle) {
    Runtime runtime(plain());
    auto first = runtime.create_region<int>(extents(4), "shared");
    runtime.fill(first, 7);
    Region<int, 1> second = first;
    Region<int, 1> third = std::move(second);
    EXPECT_FALSE(second);
    EXPECT_EQ(third, first);
    first.reset();
    EXPECT_FALSE(first);
    EXPECT_EQ(values_of(runtime, third), std::vector<int>(4, 7));
    third = runtime.create_region<int>(extents(4), "other");
    EXPECT_EQ(third.name(), "region1 'other'");
    runtime.wait_all();
    EXPECT_EQ(runtime.statistics().storage.bytes_in_use, 0U);
}

TEST(Regions, have_names_and_bounds) {
    Runtime runtime(plain());
    const auto named = runtime.create_region<int>(Rect<2>{{1, 2}, {3, 5}}, "u");
    const auto nameless = runtime.create_region<int>(extents(4));
    EXPECT_EQ(named.name(), "region0 'u'");
    EXPECT_EQ(nameless.name(), "region1");
    EXPECT_EQ(named.bounds(), (Rect<2>{{1, 2}, {3, 5}}));
}

TEST(Regions, take_the_smallest_free_name) {
    Runtime runtime(plain());
    auto a = runtime.create_region<int>(extents(1));
    auto b = runtime.create_region<int>(extents(1));
    auto c = runtime.create_region<int>(extents(1));
    EXPECT_EQ(c.name(), "region2");
    c.reset();
    a.reset();
    a = runtime.create_region<int>(extents(1));
    EXPECT_EQ(a.name(), "region0");
    c = runtime.create_region<int>(extents(1));
    EXPECT_EQ(c.name(), "region2");
    EXPECT_EQ(runtime.create_region<int>(extents(1)).name(), "region3");
}

/// Automatic tracing compares names, so they must not depend on the workers.
TEST(Regions, get_names_independent_of_the_workers) {
    const auto names = [](unsigned workers) {
        Runtime runtime(plain(workers));
        std::vector<std::string> seen;
        auto x = runtime.create_region<double>(extents(64), "x");
        runtime.fill(x, 1.0);
        for (int i = 0; i < 300; ++i) {
            auto next = runtime.create_region<double>(extents(64), "x");
            seen.push_back(next.name());
            runtime.launch(
                "step",
                [](View<const double, 1> from, View<double, 1> to) {
                    for (const Point<1>& p : to.domain()) to[p] = from[p] + 1;
                },
                read(x), write(next));
            x = std::move(next);
        }
        return seen;
    };
    const std::vector<std::string> one = names(1);
    EXPECT_EQ(one, names(4));
    EXPECT_EQ(one[0], "region1 'x'");
    for (std::size_t i = 2; i < one.size(); ++i) EXPECT_EQ(one[i], one[i - 2]);
}

}  // namespace
}  // namespace refrain::region_test
