#include "refrain/detail/sanitizers.hpp"
#include "runtime/harness.hpp"

#include <string>
#include <thread>

namespace refrain::progress_test {
namespace {

using namespace std::chrono_literals;

/// What a launch adds.
enum class Kind { single_tasks, index_launches, both };

struct Setting {
    Serving serving;
    Kind kind;
    friend void PrintTo(const Setting& s, std::ostream* out) {
        static constexpr const char* kinds[] = {"single_tasks", "index_launches", "both"};
        *out << kinds[static_cast<int>(s.kind)]
             << (s.serving == Serving::untraced ? "_untraced" : "_traced_inline");
    }
};

/// The program spins on what tasks set, and never calls the runtime.
class Spinning : public ::testing::TestWithParam<Setting> {
  protected:
    /// Tiny tasks, of which some are left unpublished at the end. Returns how many.
    int launch(Runtime& runtime, int launches) {
        int tasks = 0;
        for (int i = 0; i < launches; ++i) {
            const bool single = GetParam().kind == Kind::single_tasks ||
                                (GetParam().kind == Kind::both && i % 3 == 0);
            if (single)
                runtime.launch("one", [this] { ++runs_; });
            else
                runtime.launch("two", extents(2), [this] { ++runs_; });
            tasks += single ? 1 : 2;
        }
        return tasks;
    }
    std::atomic<int> runs_{0};
};
INSTANTIATE_TEST_SUITE_P(, Spinning,
                         ::testing::Values(Setting{Serving::untraced, Kind::single_tasks},
                                           Setting{Serving::looking_back, Kind::single_tasks},
                                           Setting{Serving::untraced, Kind::index_launches},
                                           Setting{Serving::looking_back, Kind::index_launches},
                                           Setting{Serving::looking_back, Kind::both}),
                         ::testing::PrintToStringParamName());

TEST_P(Spinning, sees_every_launched_task_run) {
    Runtime runtime(options_for(GetParam().serving, 2));
    int expected = 0;
    for (int round = 0; round < 40; ++round) {
        expected += launch(runtime, 2'000 + round);  // so that a batch is open at the end
        ASSERT_TRUE(comes_true([&] { return runs_.load() == expected; }))
            << "round " << round << ": " << runs_.load() << " of " << expected << " ran";
    }
    runtime.wait_all();  // workers count tasks after they have run
    EXPECT_EQ(runtime.statistics().workers.at(1).tasks + runtime.statistics().workers.at(0).tasks,
              static_cast<std::uint64_t>(expected));
}

TEST_P(Spinning, sees_tasks_run_that_follow_one_another) {
    Runtime runtime(options_for(GetParam().serving, 4));
    const auto x = runtime.create_region<int>(extents(1), "x");
    runtime.fill(x, 0);
    for (int round = 1; round <= 200; ++round) {
        for (int i = 0; i < 3; ++i)
            runtime.launch(
                "add", [this](View<int, 1> v) { runs_.store(++v[0]); }, read_write(x));
        ASSERT_TRUE(comes_true([&] { return runs_.load() == 3 * round; })) << "round " << round;
        if (round % 8 == 0) std::this_thread::sleep_for(1ms);  // all workers sleep
    }
}

TEST(Flush, hands_tasks_to_the_workers_without_waiting) {
    for (const Options& options : {plain(2), automatic(2), mined(2)}) {
        Runtime runtime(options);
        Gate gate;
        std::atomic<int> runs{0};
        for (int i = 0; i < 100; ++i) runtime.launch("tiny", [&] { ++runs; });
        runtime.launch("wait", [&] { gate.pass(); });
        runtime.launch("tiny", [&] { ++runs; });
        runtime.flush();
        EXPECT_TRUE(comes_true([&] { return runs.load() >= 100; })) << runs.load();
        gate.open();
        runtime.wait_all();
        EXPECT_EQ(runs.load(), 101);
    }
}

TEST(Flush, lets_a_polling_program_with_one_worker_make_progress) {
    for (const Options& options : {plain(1), automatic(1), mined(1)}) {
        Runtime runtime(options);
        bool is_set = false;
        for (int i = 0; i < 20; ++i) runtime.launch("tiny", [] {});
        runtime.launch("set", [&] { is_set = true; });
        for (int i = 0; i < 1'000 && !is_set; ++i) runtime.flush();
        EXPECT_TRUE(is_set);
    }
}

#if defined(REFRAIN_ADDRESS_SANITIZER) || defined(REFRAIN_THREAD_SANITIZER)
constexpr bool tasks_may_be_too_long = true;
#else
constexpr bool tasks_may_be_too_long = false;
#endif

/// A task that is interrupted while it is measured counts as long, and what comes after it does not run
/// in launches up to the next wait. So one of several rounds has to.
constexpr int rounds_max = 100;

/// Launches of one worker, of which some run at once.
class Alone : public ::testing::TestWithParam<Serving> {
  protected:
    static Options options() {
        Options options = options_for(GetParam(), 1);
        options.window = 1 << 15;  // more than is launched without a wait
        return options;
    }
    void launch(Runtime& runtime, int launches) {
        for (int i = 0; i < launches; ++i) {
            runtime.launch("one", [this] { ++runs_; });
            runtime.launch("two", extents(2), [this] { ++runs_; });
        }
    }
    std::atomic<int> runs_{0};
};
INSTANTIATE_TEST_SUITE_P(, Alone, ::testing::Values(Serving::untraced, Serving::looking_back),
                         ::testing::PrintToStringParamName());

TEST_P(Alone, tasks_that_are_known_to_be_short_run_in_launches) {
    Runtime runtime(options());
    bool ran = false;
    for (int round = 0; round < rounds_max && !ran; ++round) {
        const int before = runs_.load();
        launch(runtime, 200);
        ran = runs_.load() != before;
        runtime.wait_all();
        EXPECT_EQ(runs_.load(), before + 600);
    }
    EXPECT_TRUE(ran || tasks_may_be_too_long);
}

// What the long task waits for may come after the launch.
TEST_P(Alone, nothing_runs_in_a_launch_while_longer_work_is_pending) {
    Runtime runtime(options());
    launch(runtime, 200);
    runtime.wait_all();
    const int before = runs_.load();
    runtime.launch("never seen", [] { std::this_thread::sleep_for(1ms); });
    launch(runtime, 1000);
    EXPECT_EQ(runs_.load(), before);
    runtime.wait_all();
    EXPECT_EQ(runs_.load(), before + 3000);
}

// Short tasks that fail do so at the next wait, as elsewhere.
TEST_P(Alone, a_failure_in_a_launch_comes_at_the_next_wait) {
    Runtime runtime(options());
    int failing = -1;  // of the tasks
    int failed = 0;
    auto cell = runtime.create_region<int>(extents(1), "cell");
    const auto count = [&] {
        runtime.launch(
            "count",
            [&failing, &failed](View<int, 1> v) {
                if (v[0] == failing) throw std::runtime_error(std::to_string(++failed));
                ++v[0];
            },
            read_write(cell));
    };
    bool ran = false;
    for (int round = 0; round < rounds_max && !ran; ++round) {
        runtime.fill(cell, 0);
        failing = -1;
        for (int i = 0; i < 2000; ++i) count();
        runtime.wait_all();
        failing = 2500;
        const int before = failed;
        for (int i = 0; i < 1000; ++i) count();
        ran = failed != before;
        EXPECT_THROW(runtime.wait_all(), TaskError);
        EXPECT_EQ(failed, before + 1);
        EXPECT_THROW(static_cast<void>(runtime.read(cell)), TaskError);
    }
    EXPECT_TRUE(ran || tasks_may_be_too_long);
}

TEST(Flush, from_inside_a_task_is_an_error) {
    Runtime runtime(plain(1));
    runtime.launch("task", [&] { runtime.flush(); });
    EXPECT_THROW(runtime.wait_all(), TaskError);
}

}  // namespace
}  // namespace refrain::progress_test
