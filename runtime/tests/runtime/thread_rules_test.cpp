#include "runtime/harness.hpp"

#include <functional>
#include <thread>

namespace refrain::thread_rules_test {
namespace {

/// Everything that only the launching thread may do.
std::vector<std::function<void()>> launching_calls(Runtime& runtime, const Region<int, 1>& region,
                                                   const Future<int>& future) {
    return {
        [&] { runtime.launch("nothing", [] {}); },
        [&] { static_cast<void>(runtime.launch("value", [] { return 1; })); },
        [&] { static_cast<void>(runtime.launch("values", extents(3), [] { return 1; })); },
        [&] { runtime.fill(region, 1); },
        [&] { static_cast<void>(runtime.create_region<int>(extents(1))); },
        [&] { static_cast<void>(runtime.read(region)); },
        [&] { static_cast<void>(runtime.write(region)); },
        [&] { static_cast<void>(future.get()); },
        [&] { static_cast<void>(future.ready()); },
        [&] { runtime.fence(); },
        [&] { runtime.wait_all(); },
        [&] { runtime.begin_trace(1); },
        [&] { runtime.end_trace(1); },
    };
}

TEST(ThreadRules, launches_and_waits_from_another_thread_are_refused) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(1), "x");
    runtime.fill(x, 1);
    const auto future = runtime.launch("value", [] { return 1; });
    const auto calls = launching_calls(runtime, x, future);
    std::thread([&] {
        for (const auto& call : calls)
            expect_phrases(error_text(call), "from a thread that is not the launching one",
                           "use_from_this_thread()");
    }).join();
    runtime.wait_all();
    EXPECT_EQ(runtime.statistics().launches.operations, 2U);
    EXPECT_EQ(runtime.statistics().launches.futures, 1U);
}

TEST(ThreadRules, launches_and_waits_inside_a_task_are_refused) {
    for (const unsigned workers : {1U, 2U}) {
        Runtime runtime(plain(workers));
        const auto x = runtime.create_region<int>(extents(1), "x");
        runtime.fill(x, 1);
        const auto future = runtime.launch("value", [] { return 1; });
        runtime.wait_all();
        for (const auto& call : launching_calls(runtime, x, future)) {
            const auto task = runtime.launch("task", [&call] {
                call();
                return 1;
            });
            expect_phrases(error_text<TaskError>([&] { static_cast<void>(task.get()); }),
                           "task 'task'", "from inside a task: tasks do not launch or wait");
        }
    }
}

TEST(ThreadRules, a_task_cannot_make_its_thread_the_launching_thread) {
    for (const unsigned workers : {1U, 2U}) {
        Runtime runtime(plain(workers));
        const auto task = runtime.launch("task", [&runtime] {
            runtime.use_from_this_thread();
            return 1;
        });
        expect_phrases(error_text<TaskError>([&] { static_cast<void>(task.get()); }),
                       "use_from_this_thread from inside a task");
        runtime.launch("as before", [] {});
    }
}

/// The launching thread runs a task of one runtime while it waits. That task must not launch into
/// another runtime either, even though the thread is that runtime's launching thread.
TEST(ThreadRules, a_task_cannot_launch_into_another_runtime) {
    Runtime runtime(plain(1));
    Runtime other(plain(1));
    const auto task = runtime.launch("task", [&other] {
        other.launch("smuggled", [] {});
        return 1;
    });
    expect_phrases(error_text<TaskError>([&] { static_cast<void>(task.get()); }),
                   "launch from inside a task");
    EXPECT_EQ(other.statistics().launches.operations, 0U);
    other.launch("allowed again", [] {});
    other.wait_all();
}

/// A task could read these while the launching thread changes them.
TEST(ThreadRules, questions_inside_a_task_are_refused) {
    for (const unsigned workers : {1U, 2U}) {
        Options options = plain(workers);
        options.observe.explain = true;
        Runtime runtime(options);
        Runtime other(plain(1));
        const std::vector<std::function<void()>> questions = {
            [&] { static_cast<void>(runtime.statistics()); },
            [&] { static_cast<void>(runtime.why_not_traced()); },
            [&] { static_cast<void>(runtime.dependences()); },
            [&] { static_cast<void>(other.statistics()); },
        };
        for (const auto& question : questions) {
            const auto task = runtime.launch("task", [&question] {
                question();
                return 1;
            });
            expect_phrases(error_text<TaskError>([&] { static_cast<void>(task.get()); }),
                           "task 'task'", "from inside a task: tasks do not ask the runtime");
        }
        EXPECT_EQ(runtime.statistics().launches.operations, questions.size());
    }
}

/// Whose end counts, too, if it has tasks of its own.
TEST(ThreadRules, a_task_may_have_a_runtime_of_its_own) {
    Runtime runtime(plain());
    const auto task = runtime.launch("task", [] {
        const Runtime own(plain());
        return own.worker_count();
    });
    EXPECT_EQ(task.get(), plain().worker_count());
}

TEST(ThreadRules, another_thread_may_take_over) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(1), "x");
    runtime.fill(x, 1);
    std::thread([&] {
        runtime.use_from_this_thread();
        runtime.launch(
            "add", [](View<int, 1> v) { ++v[0]; }, read_write(x));
        EXPECT_EQ(values_of(runtime, x)[0], 2);
    }).join();
    EXPECT_THROW(runtime.fill(x, 3), UsageError);
    runtime.use_from_this_thread();
    EXPECT_EQ(values_of(runtime, x)[0], 2);
}

TEST(ThreadRules, a_runtime_may_be_created_on_any_thread) {
    std::thread([] {
        Runtime runtime(plain());
        EXPECT_EQ(runtime.launch("value", [] { return 1; }).get(), 1);
    }).join();
}

TEST(TwoRuntimes, on_one_thread_share_nothing) {
    Runtime a(plain());
    Runtime b(automatic());
    const auto x = a.create_region<int>(extents(8), "x");
    const auto y = b.create_region<int>(extents(8), "y");
    EXPECT_EQ(x.name(), "region0 'x'");
    EXPECT_EQ(y.name(), "region0 'y'");
    const auto pieces = tiles(extents(8), 4);  // partitions belong to no runtime
    a.fill(x, pieces, 0);
    b.fill(y, pieces, 0);
    for (int i = 0; i < 300; ++i) {
        const auto add = [](View<int, 1> v, int n) {
            for (const Point<1>& p : v.domain()) v[p] += n;
        };
        a.launch("add", pieces.colours(), add, read_write(x, pieces), 1);
        b.launch("add", pieces.colours(), add, read_write(y, pieces), 2);
    }
    EXPECT_EQ(values_of(a, x), std::vector<int>(8, 300));
    EXPECT_EQ(values_of(b, y), std::vector<int>(8, 600));
}

TEST(TwoRuntimes, on_two_threads_run_side_by_side) {
    const auto program = [](int factor) {
        Runtime runtime(plain());
        const auto x = runtime.create_region<int>(extents(64), "x");
        const auto pieces = tiles(extents(64), 8);
        runtime.fill(x, 0);
        for (int i = 0; i < 500; ++i)
            runtime.launch(
                "add", pieces.colours(),
                [](View<int, 1> v, int n) {
                    for (const Point<1>& p : v.domain()) v[p] += n;
                },
                read_write(x, pieces), factor);
        EXPECT_EQ(values_of(runtime, x), std::vector<int>(64, 500 * factor));
    };
    std::thread other(program, 3);
    program(5);
    other.join();
}

}  // namespace
}  // namespace refrain::thread_rules_test
