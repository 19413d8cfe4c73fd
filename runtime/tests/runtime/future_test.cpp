#include "runtime/harness.hpp"

#include <memory>

namespace refrain::future_test {
namespace {

Future<int> launch_failing(Runtime& runtime) {
    return runtime.launch("break", []() -> int { throw std::out_of_range("index 7"); });
}

TEST(Futures, hold_what_a_task_returns) {
    struct Pair {
        double a;
        std::int32_t b;
    };
    Runtime runtime(plain());
    EXPECT_EQ(runtime.launch("int", [] { return 42; }).get(), 42);
    EXPECT_EQ(runtime.launch("bool", [] { return true; }).get(), true);
    EXPECT_EQ(runtime.launch("point", [] { return Point<2>{3, 4}; }).get(), (Point<2>{3, 4}));
    const auto pair = runtime.launch("pair", [] { return Pair{1.5, 2}; }).get();
    EXPECT_EQ(pair.a, 1.5);
    EXPECT_EQ(pair.b, 2);
    const auto large = runtime.launch("large", [] {
        std::array<int, 1000> values;
        for (int i = 0; i < 1000; ++i) values[static_cast<std::size_t>(i)] = i;
        return values;
    });
    EXPECT_EQ(large.get()[999], 999);
}

TEST(Futures, can_be_read_repeatedly_and_copied) {
    Runtime runtime(plain());
    Future<int> first = runtime.launch("one", [] { return 1; });
    Future<int> second = first;
    EXPECT_EQ(first.get() + first.get() + second.get(), 3);
    first = runtime.launch("two", [] { return 2; });
    EXPECT_EQ(first.get(), 2);
    EXPECT_EQ(second.get(), 1);
    EXPECT_TRUE(first);
    EXPECT_FALSE(Future<int>());
}

TEST(Futures, may_be_dropped_unread) {
    Runtime runtime(plain());
    std::atomic<int> ran{0};
    for (int i = 0; i < 100; ++i)
        static_cast<void>(runtime.launch("ignored", [&ran] { return ++ran, 0; }));
    runtime.wait_all();
    EXPECT_EQ(ran, 100);
}

TEST(Futures, are_arguments_without_waiting) {
    Gate gate;
    Runtime runtime(plain());
    const auto base = runtime.launch("base", [&gate] {
        gate.pass();
        return 10;
    });
    const auto more = runtime.launch(
        "more", [](int b, int c) { return b + c; }, base, 5);
    const auto most = runtime.launch(
        "most", [](int a, int b) { return a * b; }, base, more);
    EXPECT_FALSE(most.ready());
    gate.open();
    EXPECT_EQ(most.get(), 150);
    EXPECT_TRUE(most.ready());
}

TEST(Futures, are_arguments_of_every_point_of_an_index_launch) {
    Gate gate;
    Runtime runtime(plain());
    const auto factor = runtime.launch("factor", [&gate] {
        gate.pass();
        return 7;
    });
    const auto x = runtime.create_region<std::int64_t>(extents(20), "x");
    const auto pieces = tiles(x.bounds(), 20);
    runtime.launch(
        "scale", pieces.colours(),
        [](Point<1> p, View<std::int64_t, 1> v, int f) { v[p] = f * p[0]; }, write(x, pieces),
        factor);
    gate.open();
    const auto values = values_of(runtime, x);
    for (std::int64_t i = 0; i < 20; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], 7 * i);
}

TEST(Futures, of_index_launches_are_maps_from_points_to_values) {
    Runtime runtime(plain());
    const Rect<2> domain{{1, -1}, {4, 2}};
    const FutureMap<std::int64_t, 2> map =
        runtime.launch("which", domain, [](Point<2> p) { return 10 * p[0] + p[1]; });
    for (const Point<2>& p : domain) EXPECT_EQ(map.get(p), 10 * p[0] + p[1]);
    EXPECT_TRUE(map.ready());
}

TEST(Futures, know_whether_they_are_ready) {
    for (const Options& options : {plain(), automatic(), mined()}) {
        Gate gate;
        Runtime runtime(options);
        const auto future = runtime.launch("wait", [&gate] {
            gate.pass();
            return 1;
        });
        gate.await(1);
        EXPECT_FALSE(future.ready());
        gate.open();
        EXPECT_EQ(future.get(), 1);
        EXPECT_TRUE(future.ready());
    }
}

/// With one worker only the program itself can run tasks; a loop around ready() must end.
TEST(Futures, become_ready_while_polled_even_on_one_worker) {
    Runtime runtime(plain(1));
    const auto x = runtime.create_region<int>(extents(1), "x");
    runtime.fill(x, 3);
    const auto future = runtime.launch(
        "look", [](View<const int, 1> v) { return v[0]; }, read(x));
    int polls = 0;
    while (!future.ready() && polls < 1000) ++polls;
    EXPECT_LT(polls, 1000);
    EXPECT_EQ(future.get(), 3);
}

TEST(Futures, rethrow_the_exception_of_their_task_on_every_read) {
    Runtime runtime(plain());
    const Future<int> future = launch_failing(runtime);
    for (int i = 0; i < 2; ++i) {
        try {
            static_cast<void>(future.get());
            FAIL() << "the task threw";
        } catch (const TaskError& error) {
            EXPECT_EQ(error.task(), "break");
            EXPECT_EQ(error.original_message(), "index 7");
            EXPECT_EQ(error.launch_site().substr(0, 16), "future_test.cpp:");
            EXPECT_THROW(std::rethrow_exception(error.cause()), std::out_of_range);
        }
    }
    runtime.wait_all();  // the failure was reported above
}

TEST(Futures, of_failed_tasks_skip_the_tasks_that_take_them) {
    for (const bool already_failed : {false, true}) {
        Runtime runtime(plain());
        std::atomic<int> ran{0};
        const Future<int> broken = launch_failing(runtime);
        if (already_failed) {
            EXPECT_THROW(runtime.wait_all(), TaskError);
        }
        const auto single = runtime.launch(
            "after", [&ran](int v) { return ++ran, v; }, broken);
        const auto many = runtime.launch(
            "after", extents(20), [&ran](int v) { return ++ran, v; }, broken);
        EXPECT_NE(error_text<TaskError>([&] { static_cast<void>(single.get()); }).find("index 7"),
                  std::string::npos);
        EXPECT_THROW(static_cast<void>(many.get(19)), TaskError);
        EXPECT_EQ(ran, 0);
    }
}

TEST(Futures, of_a_launch_with_a_failed_point_fail_as_a_whole) {
    Runtime runtime(plain());
    const auto map = runtime.launch("some", extents(10), [](Point<1> p) {
        if (p[0] == 3) throw std::runtime_error("not three");
        return p[0];
    });
    EXPECT_THROW(static_cast<void>(map.get(3)), TaskError);
    EXPECT_THROW(static_cast<void>(map.get(4)), TaskError);
}

TEST(Futures, keep_their_values_until_they_are_read) {
    Options options = plain();
    options.window = 16;
    Runtime runtime(options);
    std::vector<Future<int>> futures;
    for (int i = 0; i < 1000; ++i)
        futures.push_back(runtime.launch(
            "number", [](int n) { return n; }, i));
    const Future<int> broken = launch_failing(runtime);
    for (int i = 0; i < 100; ++i) runtime.launch("more", [] {});
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(futures[static_cast<std::size_t>(i)].get(), i);
    EXPECT_THROW(static_cast<void>(broken.get()), TaskError);
}

TEST(Futures, of_old_launches_can_be_arguments) {
    Options options = plain();
    options.window = 8;
    Runtime runtime(options);
    const Future<int> old = runtime.launch("old", [] { return 5; });
    const Future<int> broken = launch_failing(runtime);
    for (int i = 0; i < 100; ++i) runtime.launch("more", [] {});
    EXPECT_EQ(runtime
                  .launch(
                      "young", [](int v) { return v + 1; }, old)
                  .get(),
              6);
    const auto doomed = runtime.launch(
        "doomed", [](int v) { return v; }, broken);
    EXPECT_THROW(static_cast<void>(doomed.get()), TaskError);
}

TEST(Futures, outlive_the_runtime_with_their_values) {
    Future<int> value, broken;
    FutureMap<std::int64_t, 1> map;
    {
        Runtime runtime(plain());
        value = runtime.launch("value", [] { return 42; });
        map = runtime.launch("map", extents(40), [](Point<1> p) { return p[0]; });
        broken = launch_failing(runtime);
        EXPECT_THROW(runtime.wait_all(), TaskError);
    }
    EXPECT_TRUE(value.ready());
    EXPECT_EQ(value.get(), 42);
    EXPECT_EQ(map.get(39), 39);
    const Future<int> copy = broken;
    EXPECT_EQ(error_text<TaskError>([&] { static_cast<void>(copy.get()); }),
              error_text<TaskError>([&] { static_cast<void>(broken.get()); }));
}

TEST(Futures, dropped_after_the_runtime_are_freed) {
    auto runtime = std::make_unique<Runtime>(plain());
    std::vector<Future<int>> futures;
    for (int i = 0; i < 100; ++i) futures.push_back(runtime->launch("value", [] { return 42; }));
    runtime.reset();
    futures.clear();  // the address sanitizer checks this
}

/// It said that the future had never been given the result of a launch.
TEST(Futures, of_a_launch_without_points_are_ready) {
    Runtime runtime(plain());
    const FutureMap<int, 1> none = runtime.launch("none", Rect<1>{3, 3}, [] { return 1; });
    EXPECT_TRUE(none);
    EXPECT_TRUE(none.ready());
    EXPECT_TRUE(none.domain().empty());
    EXPECT_THROW(static_cast<void>(none.get(3)), UsageError);
}

}  // namespace
}  // namespace refrain::future_test
