// Views are checked in this file whatever the build (it is compiled alone).
#ifndef REFRAIN_CHECK_BOUNDS
#define REFRAIN_CHECK_BOUNDS 1
#endif

#include "runtime/harness.hpp"
#include "runtime/unmarked_writes.hpp"

namespace refrain::strict_reads_test {
namespace {

/// Half of a region is written, or half of it by a task that should have written all.
class StrictReads : public ::testing::TestWithParam<Serving> {
  protected:
    static Options options() {
        Options o = options_for(GetParam());
        o.checks.strict_reads = true;
        return o;
    }
    void write_half(const Region<int, 1>& region) {
        runtime_.launch(
            "half", [](View<int, 1> v) { v[0] = v[1] = v[2] = v[3] = 1; }, write(region));
    }
    Future<int> look_at(std::int64_t i) {
        return runtime_.launch(
            "look", [](View<const int, 1> v, std::int64_t at) { return v[at]; }, read(x_), i);
    }
    std::string failure_of(const Future<int>& future) {
        return error_text<TaskError>([&] { static_cast<void>(future.get()); });
    }

    Runtime runtime_{options()};
    Region<int, 1> x_ = runtime_.create_region<int>(extents(8), "x");
};
INSTANTIATE_TEST_SUITE_P(, StrictReads, every_serving, serving_name);

TEST_P(StrictReads, find_the_element_that_nothing_has_written) {
    write_half(x_);
    EXPECT_EQ(look_at(3).get(), 1);
    expect_phrases(failure_of(look_at(4)), "task 'look' (strict_reads_test.cpp:",
                   "view: element 4 of region0 'x' was never written, and is read (strict-reads)",
                   "fill the region, or write the element first");
    EXPECT_EQ(look_at(0).get(), 1) << "elements next to it are not concerned";
    runtime_.fill(x_, tiles(x_.bounds(), 8), 5);
    EXPECT_EQ(look_at(4).get(), 5);
}

TEST_P(StrictReads, see_writes_in_launch_order) {
    const auto halves = tiles(x_.bounds(), 2);
    const auto set = [](View<int, 1> v) {
        for (const Point<1> p : v.domain()) v[p] = 2;
    };
    for (int turn = 0; turn < 50; ++turn) {  // replayed from the second on
        const auto y = runtime_.create_region<int>(extents(8), "y");
        const auto sum = [&](std::int64_t half) {
            return runtime_.launch(
                "sum",
                [](View<const int, 1> v) {
                    int s = 0;
                    for (const Point<1> p : v.domain()) s += v[p];
                    return s;
                },
                read(y, halves, Point<1>(half)));
        };
        runtime_.launch("set", set, write(y, halves, Point<1>(0)));
        const auto left = sum(0);
        const auto early = sum(1);
        runtime_.launch("set", set, write(y, halves, Point<1>(1)));
        const auto right = sum(1);
        EXPECT_EQ(left.get(), 8);
        EXPECT_THROW(static_cast<void>(early.get()), TaskError);
        EXPECT_EQ(right.get(), 8);
    }
}

TEST_P(StrictReads, check_each_element_of_two_dimensions_far_from_the_origin) {
    const Rect<2> bounds{{-3, 100}, {1, 106}};
    const auto m = runtime_.create_region<int>(bounds, "m");
    runtime_.launch(
        "edges",
        [](View<int, 2> v) {
            for (const Point<2> p : v.domain())
                if (p != Point<2>(-1, 103)) v[p] = 1;
        },
        write(m));
    const auto look = [&](bool by_row) {
        return runtime_.launch(
            "look",
            [by_row](View<const int, 2> v) {
                int sum = 0;
                if (by_row)
                    for (const int value : v.row(-1)) sum += value;
                else
                    for (const Point<2> p : v.domain()) sum += v[p];
                return sum;
            },
            read(m));
    };
    expect_phrases(failure_of(look(false)), "element (-1,103) of region1 'm' was never written");
    expect_phrases(failure_of(look(true)),
                   "element (-1,103) of region1 'm', lent as part of [-1,0)x[100,106), was never");
    const std::string text =
        error_text([&] { static_cast<void>(runtime_.read(m).elements().size()); });
    expect_phrases(text, "element (-1,103)");
    EXPECT_EQ(runtime_.read(m)[Point<2>(-1, 102)], 1);
    runtime_.read_write(m)[Point<2>(-1, 103)] = 7;
    EXPECT_EQ(look(false).get(), 23 + 7);
    EXPECT_EQ(look(true).get(), 5 + 7);
}

TEST_P(StrictReads, refuse_a_reduction_into_an_element_that_nothing_has_written) {
    write_half(x_);
    const auto add_to = [&](std::int64_t i) {
        runtime_.launch(
            "add", [](ReduceView<Sum, int, 1> v, std::int64_t at) { v.reduce(at, 10); },
            reduce<Sum>(x_), i);
    };
    add_to(2);
    EXPECT_EQ(look_at(2).get(), 11);
    add_to(6);
    expect_phrases(error_text<TaskError>([&] { runtime_.wait_all(); }), "task 'add'",
                   "element 6 of region0 'x' was never written");
}

TEST_P(StrictReads, count_spans_rows_and_views_of_the_host_as_writes) {
    runtime_.launch(
        "span",
        [](View<int, 1> v) {
            v.span(Rect<1>{0, 2})[0] = 1;
        },
        write(x_));
    EXPECT_NO_THROW(static_cast<void>(look_at(1).get()));
    EXPECT_THROW(static_cast<void>(look_at(2).get()), TaskError);
    runtime_.launch(
        "data", [](View<int, 1> v) { v.data()[2] = 1; },
        write(x_, tiles(x_.bounds(), 2), Point<1>(0)));
    EXPECT_EQ(look_at(2).get(), 1);
    EXPECT_THROW(static_cast<void>(look_at(4).get()), TaskError);
    {
        const auto view = runtime_.write(x_);
        for (int& value : view.elements()) value = 3;
    }
    EXPECT_EQ(look_at(7).get(), 3);
}

TEST_P(StrictReads, a_region_that_takes_the_memory_of_another_begins_unwritten) {
    {
        const auto old = runtime_.create_region<int>(extents(8), "old");
        runtime_.fill(old, 1);
        runtime_.wait_all();
    }
    const auto fresh = runtime_.create_region<int>(extents(8), "fresh");
    write_half(fresh);
    EXPECT_EQ(runtime_.read(fresh)[0], 1);
    EXPECT_THROW(static_cast<void>(runtime_.read(fresh)[7]), UsageError);
}

/// Code built without checks does not mark what it writes, so all that it may write counts.
TEST_P(StrictReads, count_everything_that_unchecked_code_may_write) {
    write_second_half_unmarked(runtime_, x_);
    EXPECT_EQ(look_at(4).get(), 1);
    EXPECT_NO_THROW(static_cast<void>(look_at(7).get()));
    EXPECT_THROW(static_cast<void>(look_at(3).get()), TaskError);
    write_from_the_host_unmarked(runtime_, x_);
    EXPECT_NO_THROW(static_cast<void>(look_at(3).get()));
}

TEST(StrictReadsOff, reads_what_is_there) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<int>(extents(8), "x");
    runtime.launch(
        "first", [](View<int, 1> v) { v[0] = 1; }, write(x));
    EXPECT_EQ(runtime.read(x).elements().size(), 8U);
}

}  // namespace
}  // namespace refrain::strict_reads_test
