#include "runtime/harness.hpp"

namespace refrain::host_view_test {
namespace {

TEST(HostViews, see_what_tasks_wrote) {
    Gate gate;
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(3), "x");
    runtime.launch(
        "write",
        [&gate](View<int, 1> v) {
            gate.pass();
            for (const Point<1>& p : v.domain()) v[p] = static_cast<int>(p[0]) + 1;
        },
        write(x));
    gate.open();
    EXPECT_EQ(values_of(runtime, x), (std::vector<int>{1, 2, 3}));
}

TEST(HostViews, are_addressed_by_the_points_of_the_region_row_by_row) {
    Runtime runtime(plain());
    const auto m = runtime.create_region<int>(Rect<2>{{1, 10}, {3, 13}}, "m");
    {
        auto view = runtime.write(m);
        for (const Point<2>& p : view.domain()) view[p] = static_cast<int>(100 * p[0] + p[1]);
        view(2, 11) = -1;
    }
    const auto view = runtime.read(m);
    EXPECT_EQ(view(1, 12), 112);
    EXPECT_EQ(view.domain(), m.bounds());
    EXPECT_EQ(std::vector<int>(view.elements().begin(), view.elements().end()),
              (std::vector<int>{110, 111, 112, 210, -1, 212}));
    EXPECT_EQ(view.view().row(2)[1], -1);
}

TEST(HostViews, change_what_later_tasks_see) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(4), "x");
    runtime.fill(x, 1);
    const auto first = [&] {
        return runtime
            .launch(
                "first", [](View<const int, 1> v) { return v[0]; }, read(x))
            .get();
    };
    runtime.read_write(x)[0] += 10;
    EXPECT_EQ(first(), 11);
    runtime.write(x)[0] = 5;
    EXPECT_EQ(first(), 5);
}

TEST(HostViews, wait_for_readers_only_if_they_write) {
    Gate gate;
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(1), "x");
    runtime.fill(x, 1);
    const auto seen = runtime.launch(
        "slow reader",
        [&gate](View<const int, 1> v) {
            gate.pass();
            return v[0];
        },
        read(x));
    gate.await(1);
    EXPECT_EQ(runtime.read(x)[0], 1);
    EXPECT_FALSE(gate.is_open());
    gate.open();
    runtime.read_write(x)[0] = 2;
    EXPECT_EQ(seen.get(), 1);
}

TEST(HostViews, for_reading_may_coexist_with_each_other_and_with_reading_tasks) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(1), "x");
    runtime.fill(x, 3);
    const auto first = runtime.read(x);
    const auto second = runtime.read(x);
    const auto task = runtime.launch(
        "read", [](View<const int, 1> v) { return v[0]; }, read(x));
    EXPECT_EQ(first[0] + second[0] + task.get(), 9);
}

TEST(HostViews, do_not_affect_other_regions) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(1), "x");
    const auto y = runtime.create_region<int>(extents(1), "y");
    const auto view = runtime.write(x);
    runtime.fill(y, 1);
    EXPECT_EQ(values_of(runtime, y)[0], 1);
    view[0] = 1;
}

TEST(HostViews, release_their_region_when_destroyed) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(1), "x");
    {
        const auto view = runtime.write(x);
        view[0] = 1;
    }
    runtime.launch(
        "change", [](View<int, 1> v) { ++v[0]; }, read_write(x));
    {
        auto view = runtime.read(x);
        const auto moved = std::move(view);
        EXPECT_EQ(moved[0], 2);
    }
    runtime.launch(
        "change", [](View<int, 1> v) { ++v[0]; }, read_write(x));
    EXPECT_EQ(runtime.read_write(x)[0], 3);
}

TEST(HostViews, keep_their_region_alive) {
    Runtime runtime(plain());
    auto x = runtime.create_region<int>(extents(1000), "x");
    runtime.fill(x, 4);
    const auto view = runtime.read(x);
    x.reset();
    const auto other = runtime.create_region<int>(extents(1000), "other");
    runtime.fill(other, 5);
    runtime.wait_all();
    EXPECT_EQ(other.name(), "region1 'other'");
    for (const int value : view.elements()) ASSERT_EQ(value, 4);
}

TEST(HostViews, are_counted) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(1), "x");
    runtime.write(x)[0] = 1;
    static_cast<void>(runtime.read(x));
    EXPECT_EQ(runtime.statistics().launches.host_accesses, 2U);
}

}  // namespace
}  // namespace refrain::host_view_test
