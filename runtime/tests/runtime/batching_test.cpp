#include "runtime/harness.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace refrain::batching_test {
namespace {

/// Successive single tasks share a record of the graph, whatever their arguments.
class Batches : public ::testing::TestWithParam<Serving> {
  protected:
    static Options options(Batching batching = Batching::all, unsigned workers = 2) {
        Options options = options_for(GetParam(), workers);
        options.batching = batching;
        return options;
    }
    static LaunchStatistics of(const Runtime& runtime) { return runtime.statistics().launches; }
};
INSTANTIATE_TEST_SUITE_P(, Batches, every_serving, serving_name);

TEST_P(Batches, hold_eight_single_tasks_each) {
    Runtime runtime(options());
    const auto tiles_of = runtime.create_region<int>(extents(40), "tiles");
    const Partition<1> pieces = tiles(tiles_of.bounds(), 20);
    for (int i = 0; i < 20; ++i)
        runtime.launch(
            "write", [i](View<int, 1> v) { std::ranges::fill(v.span(), i); },
            write(tiles_of, pieces, Point<1>(i)));
    runtime.wait_all();
    EXPECT_EQ(of(runtime).batched_tasks, 20U);
    EXPECT_EQ(of(runtime).batches, 3U);
    EXPECT_NE(runtime.statistics().to_string().find("20 single tasks in 3 batches"),
              std::string::npos);
    const std::vector<int> values = values_of(runtime, tiles_of);
    for (int i = 0; i < 40; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i / 2);
}

TEST_P(Batches, can_be_switched_off) {
    Runtime runtime(options(Batching::none));
    for (int i = 0; i < 20; ++i) runtime.launch("nothing", [] {});
    runtime.wait_all();
    EXPECT_EQ(of(runtime).batched_tasks, 0U);
}

TEST_P(Batches, exclude_tasks_not_known_to_be_tiny) {
    Runtime runtime(options(Batching::tiny));
    for (int i = 0; i < 20; ++i)
        runtime.launch("slow", [] {
            const auto begin = std::chrono::steady_clock::now();
            while (std::chrono::steady_clock::now() - begin < std::chrono::microseconds(20)) {
            }
        });
    runtime.wait_all();
    EXPECT_EQ(of(runtime).batched_tasks, 0U);
}

TEST_P(Batches, keep_little_memory_alive) {
    Runtime runtime(options(Batching::tiny, 1));
    constexpr std::int64_t much = 1 << 20;
    const auto sum = runtime.create_region<std::int64_t>(extents(1), "sum");
    runtime.fill(sum, 0);
    for (int i = 0; i < 200; ++i) {
        const auto temporary = runtime.create_region<char>(extents(much), "temporary");
        runtime.launch(
            "make", [](View<char, 1> v) { v[0] = 1; }, write(temporary));
        runtime.launch(
            "use", [](View<const char, 1> v, View<std::int64_t, 1> s) { s[0] += v[0]; },
            read(temporary), read_write(sum));
    }
    EXPECT_EQ(values_of(runtime, sum)[0], 200);
    EXPECT_LE(runtime.statistics().storage.bytes_peak, std::size_t{4 * much});
}

TEST_P(Batches, end_before_an_index_launch) {
    Runtime runtime(options());
    const auto x = runtime.create_region<int>(extents(4), "x");
    const Partition<1> pieces = tiles(x.bounds(), 4);
    runtime.fill(x, 0);
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 3; ++i)
            runtime.launch(
                "one", [round](View<int, 1> v) { v.span()[0] = round; },
                write(x, pieces, Point<1>(i)));
        runtime.launch(
            "all", pieces.colours(), [](View<int, 1> v) { v.span()[0] += 1; },
            read_write(x, pieces));
    }
    EXPECT_EQ(values_of(runtime, x), (std::vector<int>{5, 5, 5, 5}));
    EXPECT_EQ(of(runtime).batches, 5U);
}

TEST_P(Batches, let_a_future_become_ready_before_the_rest_of_the_batch) {
    Gate gate;
    Runtime runtime(options());
    const auto x = runtime.create_region<int>(extents(2), "x");
    const Partition<1> halves = tiles(x.bounds(), 2);
    runtime.launch(
        "gate", halves.colours(),
        [&gate](Point<1> colour, View<int, 1> v) {
            if (colour[0] == 0) gate.pass();
            v.span()[0] = 1;
        },
        write(x, halves));
    // ready() makes the runtime issue everything to the workers.
    (void)runtime.launch("nothing", [] { return 0; }).ready();
    gate.await(1);
    const auto value = runtime.launch("value", [] { return 3; });
    const auto late = runtime.launch(
        "late", [](View<const int, 1> v) { return v[0] + v[1]; }, read(x));
    EXPECT_EQ(value.get(), 3);
    EXPECT_EQ(of(runtime).batches, 2U);
    EXPECT_FALSE(gate.is_open());
    gate.open();
    EXPECT_EQ(late.get(), 2);
}

TEST_P(Batches, keep_the_failures_of_their_tasks_apart) {
    Runtime runtime(options());
    const auto fail = [&](const char* name) {
        return runtime.launch(name, [name]() -> int { throw std::runtime_error(name); });
    };
    const auto use = [&](const Future<int>& value) {
        return runtime.launch(
            "use", [](int v) { return v + 1; }, value);
    };
    const auto first = fail("first"), second = fail("second");
    const auto good = runtime.launch("good", [] { return 1; });
    const auto after_first = use(first), after_second = use(second), after_good = use(good);
    EXPECT_EQ(after_good.get(), 2);
    const auto said_by = [](const Future<int>& future) -> std::string {
        try {
            (void)future.get();
        } catch (const TaskError& error) {
            return error.what();
        }
        return "nothing";
    };
    for (const Future<int>& future : {first, after_first})
        EXPECT_NE(said_by(future).find("'first'"), std::string::npos) << said_by(future);
    for (const Future<int>& future : {second, after_second})
        EXPECT_NE(said_by(future).find("'second'"), std::string::npos) << said_by(future);
    EXPECT_EQ(of(runtime).batches, 1U);
    EXPECT_EQ(use(good).get(), 2);
}

TEST_P(Batches, respect_fences_and_operations_of_many_points) {
    Runtime runtime(options());
    const auto x = runtime.create_region<int>(extents(30), "x");
    const Partition<1> pieces = tiles(x.bounds(), 30);
    for (int round = 0; round < 3; ++round) {
        runtime.launch(
            "many", pieces.colours(), [round](View<int, 1> v) { v.span()[0] = round; },
            write(x, pieces));
        const auto sum = runtime.launch(
            "sum",
            [](View<const int, 1> v) {
                const auto elements = v.span();
                return std::accumulate(elements.begin(), elements.end(), 0);
            },
            read(x));
        runtime.fence();
        const auto behind = runtime.launch("behind", [] { return 1; });
        EXPECT_EQ(behind.get(), 1);
        EXPECT_EQ(sum.get(), 30 * round);
    }
}

}  // namespace
}  // namespace refrain::batching_test
