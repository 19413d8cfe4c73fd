#include "runtime/harness.hpp"

#include <cstdlib>

namespace refrain::shutdown_test {
namespace {

class Shutdown : public ::testing::TestWithParam<Serving> {
  protected:
    static Options options() { return options_for(GetParam()); }
    static constexpr int tasks = 777;

    /// Launches dependent work with temporaries; most of it is pending when this returns.
    static void launch_work(Runtime& runtime, std::atomic<int>& ran) {
        const auto x = runtime.create_region<int>(extents(8), "x");
        runtime.fill(x, 0);
        for (int i = 0; i < tasks; ++i) {
            const auto temporary = runtime.create_region<int>(extents(8), "temporary");
            runtime.fill(temporary, i);
            runtime.launch(
                "step",
                [&ran](View<const int, 1> t, View<int, 1> v) {
                    v[0] += t[0];
                    ++ran;
                },
                read(temporary), read_write(x));
        }
    }
};
INSTANTIATE_TEST_SUITE_P(, Shutdown, every_serving, serving_name);

TEST_P(Shutdown, runs_all_pending_work_when_the_program_returns_early) {
    std::atomic<int> ran{0};
    const auto program = [&] {
        Runtime runtime(options());
        launch_work(runtime, ran);
        if (runtime.worker_count() != 0) return 1;
        runtime.wait_all();
        return 0;
    };
    EXPECT_EQ(program(), 1);
    EXPECT_EQ(ran, tasks);
}

TEST_P(Shutdown, runs_all_pending_work_when_the_program_throws) {
    std::atomic<int> ran{0};
    const auto program = [&] {
        Runtime runtime(options());
        launch_work(runtime, ran);
        throw std::logic_error("the program's own");
    };
    EXPECT_THROW(program(), std::logic_error);
    EXPECT_EQ(ran, tasks);
}

TEST_P(Shutdown, runs_all_pending_work_inside_a_manual_trace) {
    std::atomic<int> ran{0};
    for (int round = 0; round < 2; ++round) {
        Runtime runtime(options());
        runtime.begin_trace(1);
        launch_work(runtime, ran);
    }
    EXPECT_EQ(ran, 2 * tasks);
}

TEST_P(Shutdown, with_failed_work_prints_the_first_failure) {
    ::testing::internal::CaptureStderr();
    {
        Runtime runtime(options());
        runtime.launch("break", [] { throw std::runtime_error("unheard of"); });
        runtime.launch("break", [] { throw std::runtime_error("also"); });
    }
    expect_phrases(::testing::internal::GetCapturedStderr(), "refrain: ", "2 failure(s)",
                   "task 'break' (shutdown_test.cpp:", "unheard of");
}

TEST_P(Shutdown, does_not_print_failures_that_the_program_has_seen) {
    ::testing::internal::CaptureStderr();
    {
        Runtime runtime(options());
        runtime.launch("break", [] { throw std::runtime_error("known"); });
        EXPECT_THROW(runtime.wait_all(), TaskError);
        const auto broken =
            runtime.launch("break", []() -> int { throw std::runtime_error("known"); });
        EXPECT_THROW(static_cast<void>(broken.get()), TaskError);
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

/// A mismatch throws out of the program; the destructor of the runtime found the trace still open
/// and terminated.
TEST_P(Shutdown, succeeds_after_a_strict_trace_threw) {
    Options strict = options();
    strict.checks.strict_traces = true;
    const auto program = [&] {
        Runtime runtime(strict);
        const auto x = runtime.create_region<int>(extents(8), "x");
        runtime.fill(x, 0);
        for (const char* name : {"same", "different"}) {
            runtime.begin_trace(1);
            if (*name == 's')
                runtime.launch(
                    name, [](View<int, 1>) {}, read_write(x));
            else
                runtime.launch(
                    name, [](View<const int, 1>) {}, read(x));
            runtime.end_trace(1);
        }
    };
    EXPECT_THROW(program(), TraceMismatch);
}

TEST_P(Shutdown, reports_a_strict_trace_that_ended_early) {
    Options strict = options();
    strict.checks.strict_traces = true;
    ::testing::internal::CaptureStderr();
    {
        Runtime runtime(strict);
        for (int round = 0; round < 2; ++round) {
            runtime.begin_trace(1);
            runtime.launch("first", [] {});
            if (round == 1) break;
            runtime.launch("second", [] {});
            runtime.end_trace(1);
        }
    }
    expect_phrases(::testing::internal::GetCapturedStderr(), "trace 1, operation 1", "'second'",
                   "nothing more");
}

TEST_P(Shutdown, leaves_surviving_regions_empty) {
    Region<int, 1> region, copy;
    {
        Runtime runtime(options());
        region = runtime.create_region<int>(extents(8), "survivor");
        runtime.fill(region, 1);
        copy = region;
    }
    EXPECT_EQ(region.bounds(), extents(8));
    EXPECT_EQ(region.name(), "region0 'survivor'");
    EXPECT_EQ(copy, region);
    region.reset();
    Runtime other(options());
    EXPECT_THROW(static_cast<void>(other.read(copy)), UsageError);
    EXPECT_THROW(other.fill(copy, 2), UsageError);
    copy = other.create_region<int>(extents(8), "new");
    other.fill(copy, 3);
    EXPECT_EQ(values_of(other, copy)[0], 3);
}

TEST_P(Shutdown, destroys_scalars_that_own_resources) {
    const auto owned = std::make_shared<int>(0);
    {
        Runtime runtime(options());
        for (int i = 0; i < 200; ++i) runtime.launch("own", [owned] { static_cast<void>(*owned); });
        runtime.launch(
            "own and fail", [](const std::shared_ptr<int>&) { throw 1; }, owned);
        EXPECT_THROW(runtime.wait_all(), TaskError);
    }
    EXPECT_EQ(owned.use_count(), 1);
}

TEST_P(Shutdown, of_a_runtime_that_did_nothing_is_possible) {
    { const Runtime runtime(options()); }
    Runtime runtime(options());
    runtime.wait_all();
    static_cast<void>(runtime.create_region<int>(extents(5), "unused"));
}

/// For a process of its own: main returns early, and its work must finish.
int main_that_returns_early(const Options& options) {
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(8), "x");
    runtime.fill(x, 0);
    for (int i = 0; i < 100; ++i)
        runtime.launch(
            "step", [](View<int, 1> v) { ++v[0]; }, read_write(x));
    runtime.launch(
        "last", [](View<const int, 1> v) { std::_Exit(v[0] == 100 ? 17 : 1); }, read(x));
    return 0;
}

TEST_P(Shutdown, at_the_end_of_a_program_runs_the_last_task) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(std::exit(main_that_returns_early(options())), ::testing::ExitedWithCode(17), "");
}

}  // namespace
}  // namespace refrain::shutdown_test
