#include "runtime/harness.hpp"

#include <thread>

namespace refrain::waiting_test {
namespace {

/// Tasks on other regions are still waiting at the gate when the program goes on.
class Waiting : public ::testing::TestWithParam<Serving> {
  protected:
    static Options options() { return options_for(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(, Waiting, every_serving, serving_name);

TEST_P(Waiting, for_a_regions_data_waits_for_its_writers_and_nothing_else) {
    Gate gate;
    Runtime runtime(options());
    const auto slow = runtime.create_region<int>(extents(1), "slow");
    const auto fast = runtime.create_region<int>(extents(1), "fast");
    runtime.launch(
        "long task",
        [&gate](View<int, 1> v) {
            gate.pass();
            v[0] = 1;
        },
        write(slow));
    gate.await(1);
    runtime.fill(fast, 2);
    EXPECT_EQ(values_of(runtime, fast)[0], 2);
    EXPECT_FALSE(gate.is_open());
    gate.open();
    EXPECT_EQ(values_of(runtime, slow)[0], 1);
}

TEST_P(Waiting, for_a_future_waits_for_its_task_and_nothing_else) {
    Gate gate;
    Runtime runtime(options());
    occupy_a_worker(runtime, gate);
    EXPECT_EQ(runtime.launch("value", [] { return 3; }).get(), 3);
    EXPECT_FALSE(gate.is_open());
    gate.open();
}

TEST_P(Waiting, for_a_regions_data_does_not_wait_for_its_readers) {
    Gate gate;
    Runtime runtime(options());
    const auto x = runtime.create_region<int>(extents(1), "x");
    const auto y = runtime.create_region<int>(extents(1), "y");
    runtime.fill(x, 1);
    runtime.launch(
        "reader of x",
        [&gate](View<const int, 1> from, View<int, 1> to) {
            gate.pass();
            to[0] = from[0];
        },
        read(x), write(y));
    gate.await(1);
    EXPECT_EQ(values_of(runtime, x)[0], 1);
    EXPECT_FALSE(gate.is_open());
    gate.open();
    EXPECT_EQ(values_of(runtime, y)[0], 1);
}

TEST_P(Waiting, for_all_waits_for_everything_launched_so_far) {
    std::atomic<int> ran{0};
    Runtime runtime(options());
    for (int i = 0; i < 500; ++i) runtime.launch("count", [&ran] { ++ran; });
    runtime.wait_all();
    EXPECT_EQ(ran, 500);
    runtime.wait_all();
    EXPECT_EQ(ran, 500);
}

TEST_P(Waiting, at_a_fence_blocks_tasks_and_not_the_program) {
    Gate gate;
    Runtime runtime(options());
    occupy_a_worker(runtime, gate);
    std::atomic<bool> ran{false};
    runtime.fence();
    const auto behind = runtime.launch("behind the fence", [&ran] { return ran = true; });
    EXPECT_FALSE(behind.ready());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(ran);
    gate.open();
    EXPECT_TRUE(behind.get());
}

TEST_P(Waiting, after_a_fence_every_point_sees_every_earlier_point) {
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> before{0};
        std::atomic<int> behind{0};
        Runtime runtime(options());
        runtime.launch("before", extents(30), [&before] { ++before; });
        for (int i = 0; i < 10; ++i) runtime.launch("before", [&before] { ++before; });
        runtime.fence();
        runtime.launch("behind", extents(30), [&] { behind += before == 40 ? 1 : 0; });
        runtime.fence();
        runtime.fence("second");
        runtime.launch("last", [&] { before = behind.load(); });
        runtime.wait_all();
        EXPECT_EQ(before, 30);
    }
}

/// The other worker waits at the gate: what is launched behind runs as soon as the launching thread waits for
/// room, and not before.
TEST_P(Waiting, lets_the_program_run_ahead_by_the_window_and_no_further) {
    constexpr int window = 16;
    Options limited = options();
    limited.window = window;
    limited.tracing.automatic = false;
    Gate gate;
    int launched = 0;
    int launched_before_the_first_ran = 0;
    Runtime runtime(limited);
    occupy_a_worker(runtime, gate);
    const auto launcher = std::this_thread::get_id();
    for (; launched < 200; ++launched)
        runtime.launch("next", [&] {
            if (gate.is_open()) return;
            EXPECT_EQ(std::this_thread::get_id(), launcher);
            launched_before_the_first_ran = launched;
            gate.open();
        });
    runtime.wait_all();
    EXPECT_GE(launched_before_the_first_ran, window / 2);
    EXPECT_LE(launched_before_the_first_ran, window);
    EXPECT_GT(runtime.statistics().launches.window_waits, 0U);
}

}  // namespace
}  // namespace refrain::waiting_test
