#include "runtime/harness.hpp"

namespace refrain::failure_test {
namespace {

using Number = Region<int, 1>;

/// Untraced and traced, so that failures propagate along analysed and along replayed dependences.
class Failures : public ::testing::TestWithParam<Serving> {
  protected:
    static Options options() {
        Options o = options_for(GetParam());
        o.window = window;
        return o;
    }
    static constexpr std::uint64_t window = 32;

    Number make(Runtime& runtime, int value) {
        const Number region = runtime.create_region<int>(extents(8), "x");
        runtime.fill(region, value);
        return region;
    }
    static void break_it(Runtime& runtime, const Number& region, const char* what = "broken") {
        runtime.launch(
            "break",
            [what](View<int, 1> v) {
                v[0] = 99;
                throw std::runtime_error(what);
            },
            read_write(region));
    }
    void copy(Runtime& runtime, const Number& from, const Number& to) {
        runtime.launch(
            "copy",
            [this](View<const int, 1> f, View<int, 1> t) {
                ++copies_;
                for (const Point<1>& p : t.domain()) t[p] = f[p];
            },
            read(from), write(to));
    }
    /// Launches enough operations to retire everything launched before.
    static void pass_the_window(Runtime& runtime) {
        for (std::uint64_t i = 0; i < 3 * window; ++i) runtime.launch("more", [] {});
    }
    static std::string failure_of(Runtime& runtime, const Number& region) {
        return error_text<TaskError>([&] { static_cast<void>(runtime.read(region)); });
    }

    std::atomic<int> copies_{0};
};
INSTANTIATE_TEST_SUITE_P(, Failures, every_serving, serving_name);

TEST_P(Failures, reach_the_program_at_its_next_wait_with_task_and_launch_site) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    break_it(runtime, x);
    const std::string text = error_text<TaskError>([&] { runtime.wait_all(); });
    expect_phrases(text, "task 'break' (failure_test.cpp:", "failed: broken");
    runtime.wait_all();  // the failure was reported above
}

TEST_P(Failures, reach_the_program_where_it_reads_the_data) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    break_it(runtime, x);
    expect_phrases(failure_of(runtime, x), "'break'", "broken");
    EXPECT_THROW(static_cast<void>(runtime.read_write(x)), TaskError);
    runtime.wait_all();
}

TEST_P(Failures, skip_tasks_that_depend_on_the_data) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    const Number y = make(runtime, 2);
    const Number z = make(runtime, 3);
    break_it(runtime, x);
    copy(runtime, x, y);
    copy(runtime, y, z);
    expect_phrases(failure_of(runtime, z), "'break'", "broken");
    EXPECT_EQ(copies_, 0);
    std::uint64_t skipped = 0;
    for (const WorkerStatistics& worker : runtime.statistics().workers) skipped += worker.skipped;
    EXPECT_EQ(skipped, 2U);
}

TEST_P(Failures, do_not_stop_independent_tasks) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    const Number y = make(runtime, 2);
    const Number z = make(runtime, 3);
    break_it(runtime, x);
    copy(runtime, y, z);
    EXPECT_EQ(values_of(runtime, z), std::vector<int>(8, 2));
    EXPECT_THROW(runtime.wait_all(), TaskError);
}

TEST_P(Failures, keep_data_that_was_written_before) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    const Number y = make(runtime, 2);
    copy(runtime, x, y);
    break_it(runtime, x);
    EXPECT_EQ(values_of(runtime, y), std::vector<int>(8, 1));
    EXPECT_THROW(runtime.wait_all(), TaskError);
}

TEST_P(Failures, affect_only_the_elements_that_the_task_should_have_written) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    const auto halves = tiles(x.bounds(), 2);
    runtime.launch(
        "break", [](View<int, 1>) { throw std::runtime_error("left"); },
        read_write(x, halves, Point<1>(0)));
    const auto look = [&](std::int64_t half) {
        return runtime.launch(
            "look", [](View<const int, 1> v) { return v[v.domain().lo]; },
            read(x, halves, Point<1>(half)));
    };
    EXPECT_EQ(look(1).get(), 1);
    EXPECT_THROW(static_cast<void>(look(0).get()), TaskError);
    pass_the_window(runtime);
    EXPECT_EQ(look(1).get(), 1);
    EXPECT_THROW(static_cast<void>(look(0).get()), TaskError);
    expect_phrases(failure_of(runtime, x), "left");
}

TEST_P(Failures, of_one_point_affect_only_its_elements) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    const auto each = tiles(x.bounds(), 8);
    std::atomic<int> ran{0};
    runtime.launch(
        "some", each.colours(),
        [](Point<1> p, View<int, 1> v) {
            v[p] = 10;
            if (p[0] == 5) throw std::runtime_error("five");
        },
        read_write(x, each));
    runtime.launch(
        "all", each.colours(),
        [&ran](Point<1> p, View<int, 1> v) {
            ++ran;
            v[p] += 1;
        },
        read_write(x, each));
    EXPECT_THROW(runtime.wait_all(), TaskError);
    EXPECT_EQ(ran, 7);
    const auto sum = runtime.launch(
        "neighbours", [](View<const int, 1> a, View<const int, 1> b) { return a[4] + b[6]; },
        read(x, each, Point<1>(4)), read(x, each, Point<1>(6)));
    EXPECT_EQ(sum.get(), 22);
    expect_phrases(failure_of(runtime, x), "five");
}

TEST_P(Failures, are_cleared_by_overwriting) {
    for (const bool retired : {false, true}) {
        Runtime runtime(options());
        const Number x = make(runtime, 1);
        const Number y = make(runtime, 2);
        break_it(runtime, x);
        if (retired) pass_the_window(runtime);
        runtime.fill(x, 7);
        copy(runtime, x, y);
        EXPECT_EQ(values_of(runtime, y), std::vector<int>(8, 7));
        EXPECT_EQ(values_of(runtime, x), std::vector<int>(8, 7));
        EXPECT_THROW(runtime.wait_all(), TaskError);
    }
}

TEST_P(Failures, are_cleared_only_where_elements_are_overwritten) {
    for (const bool retired : {false, true}) {
        Runtime runtime(options());
        const Number x = make(runtime, 1);
        const auto halves = tiles(x.bounds(), 2);
        break_it(runtime, x);
        if (retired) pass_the_window(runtime);
        runtime.launch(
            "overwrite",
            [](View<int, 1> v) {
                for (const Point<1>& p : v.domain()) v[p] = 5;
            },
            write(x, halves, Point<1>(1)));
        const auto half = runtime.launch(
            "half", [](View<const int, 1> v) { return v[7]; }, read(x, halves, Point<1>(1)));
        EXPECT_EQ(half.get(), 5);
        const auto whole_of_it = runtime.launch(
            "all", [](View<const int, 1> v) { return v[7]; }, read(x));
        EXPECT_THROW(static_cast<void>(whole_of_it.get()), TaskError);
    }
}

TEST_P(Failures, are_cleared_by_writes_of_the_host) {
    for (const bool retired : {false, true}) {
        Runtime runtime(options());
        const Number x = make(runtime, 1);
        break_it(runtime, x);
        if (retired) pass_the_window(runtime);
        set_values(runtime, x, std::vector<int>(8, 3));
        EXPECT_EQ(values_of(runtime, x), std::vector<int>(8, 3));
        pass_the_window(runtime);
        EXPECT_EQ(values_of(runtime, x), std::vector<int>(8, 3));
        EXPECT_THROW(runtime.wait_all(), TaskError);
    }
}

TEST_P(Failures, are_reported_again_at_any_later_time) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    const Number y = make(runtime, 2);
    break_it(runtime, x);
    EXPECT_THROW(runtime.wait_all(), TaskError);
    for (int round = 0; round < 3; ++round) {
        pass_the_window(runtime);
        copy(runtime, x, y);
        expect_phrases(failure_of(runtime, x), "broken");
        expect_phrases(failure_of(runtime, y), "broken");
    }
    EXPECT_EQ(copies_, 0);
}

TEST_P(Failures, propagate_through_many_windows_of_dependent_operations) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    std::atomic<int> ran{0};
    break_it(runtime, x);
    for (std::uint64_t i = 0; i < 10 * window; ++i)
        runtime.launch(
            "step", [&ran](View<int, 1> v) { ++v[0], ++ran; }, read_write(x));
    expect_phrases(failure_of(runtime, x), "broken");
    EXPECT_EQ(ran, 0);
}

TEST_P(Failures, are_counted_and_the_first_is_named) {
    Runtime runtime(options());
    for (int i = 0; i < 5; ++i) {
        const std::string text = "number " + std::to_string(i);
        runtime.launch("break", [text] { throw std::runtime_error(text); });
    }
    expect_phrases(error_text<TaskError>([&] { runtime.wait_all(); }), "number 0",
                   "the first of 5 failures");
    runtime.wait_all();
}

TEST_P(Failures, of_several_points_of_a_launch_count_once) {
    Runtime runtime(options());
    runtime.launch("break", extents(20), [](Point<1>) { throw std::runtime_error("each"); });
    const std::string text = error_text<TaskError>([&] { runtime.wait_all(); });
    EXPECT_EQ(text.find("the first of"), std::string::npos) << text;
}

TEST_P(Failures, of_a_task_and_of_its_predecessor_are_both_reported) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    const auto halves = tiles(x.bounds(), 2);
    runtime.launch(
        "break left", [](View<int, 1>) { throw std::runtime_error("left"); },
        read_write(x, halves, Point<1>(0)));
    runtime.launch(
        "break right", halves.colours(),
        [](Point<1> p, View<int, 1>) {
            if (p[0] == 1) throw std::runtime_error("right");
        },
        read_write(x, halves));
    expect_phrases(error_text<TaskError>([&] { runtime.wait_all(); }), "left",
                   "the first of 2 failures");
}

TEST_P(Failures, need_not_be_standard_exceptions) {
    Runtime runtime(options());
    runtime.launch("throw an int", [] { throw 42; });
    try {
        runtime.wait_all();
        FAIL() << "the task threw";
    } catch (const TaskError& error) {
        EXPECT_EQ(error.original_message(), "an exception that is no std::exception");
        EXPECT_THROW(std::rethrow_exception(error.cause()), int);
    }
}

TEST_P(Failures, by_the_hundred_leave_the_runtime_usable) {
    Runtime runtime(options());
    const Number x = make(runtime, 0);
    for (int round = 0; round < 500; ++round) {
        break_it(runtime, x);
        runtime.launch(
            "suffer", [](View<int, 1> v) { ++v[0]; }, read_write(x));
        runtime.fill(x, round);
    }
    EXPECT_EQ(values_of(runtime, x), std::vector<int>(8, 499));
    expect_phrases(error_text<TaskError>([&] { runtime.wait_all(); }), "first of 500 failures");
    EXPECT_EQ(runtime.launch("go on", [] { return 1; }).get(), 1);
}

TEST_P(Failures, by_the_thousand_are_all_counted) {
    Runtime runtime(options());
    for (int i = 0; i < 3000; ++i) runtime.launch("break", [] { throw std::runtime_error("no"); });
    expect_phrases(error_text<TaskError>([&] { runtime.wait_all(); }), "first of 3000 failures");
}

/// The failure of x is reported, and its data is overwritten after an affected operation that still
/// waits. Meanwhile another failure retires and cleans up. The first failure was freed then, and
/// the affected operation read freed memory.
TEST_P(Failures, live_until_the_last_affected_operation_has_retired) {
    Gate gate;
    Runtime runtime(options());
    const Number x = make(runtime, 1);
    const Number y = make(runtime, 1);
    const Number slow = make(runtime, 1);
    break_it(runtime, x, "early");
    EXPECT_THROW(runtime.wait_all(), TaskError);
    pass_the_window(runtime);
    pass_the_window(runtime);
    runtime.wait_all();
    runtime.launch("late failure", [] { throw std::runtime_error("late"); });
    runtime.launch(
        "wait", [&gate](View<int, 1>) { gate.pass(); }, read_write(slow));
    gate.await(1);
    runtime.launch(
        "suffer", [](View<const int, 1>, View<const int, 1>, View<int, 1>) {}, read(x), read(slow),
        write(y));
    runtime.fill(x, 2);
    EXPECT_EQ(runtime.launch("retire what can", [] { return 1; }).get(), 1);
    gate.open();
    expect_phrases(failure_of(runtime, y), "early");
    EXPECT_THROW(runtime.wait_all(), TaskError);
    EXPECT_EQ(values_of(runtime, x), std::vector<int>(8, 2));
}

TEST_P(Failures, do_not_break_the_order_of_skipped_operations) {
    Gate gate;
    Runtime runtime(options());
    const Number broken = make(runtime, 1);
    const Number x = make(runtime, 5);
    std::atomic<int> seen{0};
    break_it(runtime, broken);
    // A slow reader, then a skipped writer, then a writer that must still wait for the reader.
    runtime.launch(
        "slow reader",
        [&](View<const int, 1> v) {
            gate.pass();
            seen = v[0];
        },
        read(x));
    runtime.launch(
        "skipped", [](View<const int, 1>, View<int, 1> v) { v[0] = 6; }, read(broken), write(x));
    runtime.launch(
        "runs",
        [](View<int, 1> v) {
            for (const Point<1>& p : v.domain()) v[p] = 7;
        },
        write(x));
    gate.await(1);
    gate.open();
    EXPECT_EQ(values_of(runtime, x), std::vector<int>(8, 7));
    runtime.fence();
    EXPECT_EQ(seen, 5);
    EXPECT_THROW(runtime.wait_all(), TaskError);
}

TEST_P(Failures, of_allocation_name_the_region_and_the_remedy) {
    Options limited = options();
    limited.limits.region_bytes = 1000;
    Runtime runtime(limited);
    const Number small = make(runtime, 1);
    const auto large = runtime.create_region<double>(extents(1000), "large");
    runtime.fill(large, 1.0);
    try {
        runtime.wait_all();
        FAIL() << "the region is larger than the limit";
    } catch (const TaskError& error) {
        expect_phrases(error.what(), "task 'fill' (failure_test.cpp:",
                       "no memory for region1 'large' of 8000 bytes", "of at most 1000 bytes",
                       "raise the limit");
        EXPECT_THROW(std::rethrow_exception(error.cause()), OutOfMemory);
    }
    EXPECT_THROW(static_cast<void>(runtime.write(large)), OutOfMemory);
    EXPECT_EQ(values_of(runtime, small), std::vector<int>(8, 1));
}

TEST_P(Failures, of_allocation_end_when_memory_is_available_again) {
    Options limited = options();
    limited.limits.region_bytes = 10'000;
    Runtime runtime(limited);
    auto first = runtime.create_region<double>(extents(1000), "first");
    const auto second = runtime.create_region<double>(extents(1000), "second");
    runtime.fill(first, 1.0);
    runtime.wait_all();  // otherwise either of them may get the memory
    runtime.fill(second, 2.0);
    EXPECT_THROW(runtime.wait_all(), TaskError);
    EXPECT_THROW(static_cast<void>(runtime.read(second)), TaskError);
    first.reset();
    runtime.wait_all();
    runtime.fill(second, 3.0);
    EXPECT_EQ(values_of(runtime, second)[999], 3.0);
}

/// wait_all tells of one launch; the others, and further points of the same launch, were lost.
TEST_P(Failures, can_all_be_had_with_operation_point_and_message) {
    Runtime runtime(options());
    const Number x = make(runtime, 1);  // operation 1
    const Number y = make(runtime, 2);
    const auto each = tiles(x.bounds(), 8);
    runtime.launch(
        "points", each.colours(),
        [](Point<1> p, View<int, 1>) {
            if (p[0] % 3 == 1) throw std::runtime_error("point " + std::to_string(p[0]));
        },
        read_write(x, each));
    break_it(runtime, y, "second");
    copy(runtime, y, x);  // skipped
    expect_phrases(error_text<TaskError>([&] { runtime.wait_all(); }), "the first of 2 failures",
                   "take_failures() returns all");
    std::vector<std::string> found;
    for (const FailedTask& failed : runtime.take_failures()) {
        found.push_back("op" + std::to_string(failed.operation) + "." +
                        std::to_string(failed.point) + " " + failed.error.task() + ": " +
                        failed.error.original_message());
        expect_phrases(failed.error.launch_site(), "failure_test.cpp:");
    }
    EXPECT_EQ(found, (std::vector<std::string>{"op3.1 points: point 1", "op3.4 points: point 4",
                                               "op3.7 points: point 7", "op4.0 break: second"}));
    EXPECT_EQ(runtime.statistics().launches.failed, 4U);
    EXPECT_TRUE(runtime.take_failures().empty()) << "each is told once";
    runtime.wait_all();
}

TEST_P(Failures, that_nobody_asked_about_are_reported_by_taking_them) {
    ::testing::internal::CaptureStderr();
    {
        Runtime runtime(options());
        const Number x = make(runtime, 1);
        break_it(runtime, x, "first");
        const std::vector<FailedTask> failed = runtime.take_failures();
        ASSERT_EQ(failed.size(), 1U);
        EXPECT_THROW(std::rethrow_exception(failed[0].error.cause()), std::runtime_error);
        pass_the_window(runtime);
        EXPECT_EQ(failed[0].error.original_message(), "first");
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_P(Failures, beyond_a_thousand_are_only_counted) {
    Runtime runtime(options());
    for (int launch = 0; launch < 3; ++launch)
        runtime.launch("all", extents(1500), [](Point<1>) { throw std::runtime_error("all"); });
    const std::vector<FailedTask> failed = runtime.take_failures();
    EXPECT_EQ(failed.size(), 1000U);
    EXPECT_EQ(failed.front().operation, 1U);
    EXPECT_EQ(runtime.statistics().launches.failed, 4500U);
    EXPECT_EQ(runtime.take_failures().size(), 0U);
}

}  // namespace
}  // namespace refrain::failure_test
