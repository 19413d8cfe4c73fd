#include "runtime/harness.hpp"

namespace refrain::launch_error_test {
namespace {

/// Each misuse of a launch: the message names launch, argument, both values and the way out, and
/// nothing was launched.
class LaunchErrors : public ::testing::Test {
  protected:
    ~LaunchErrors() override {
        const std::uint64_t before = runtime_.statistics().launches.operations;
        EXPECT_EQ(before, launched_) << "a refused launch counts as one";
        runtime_.fill(x_, 1);
        EXPECT_EQ(values_of(runtime_, x_), std::vector<int>(8, 1)) << "the runtime cannot go on";
    }

    Runtime runtime_{plain()};
    Region<int, 1> x_ = runtime_.create_region<int>(extents(8), "x");
    Partition<1> halves_ = tiles(x_.bounds(), 2);
    std::uint64_t launched_ = 0;
    static constexpr const char* site = "launch 'task' (launch_error_test.cpp:";
    static void task(View<const int, 1>) {}
    static void change(View<int, 1>) {}
    void initialise() {
        runtime_.fill(x_, 0);
        ++launched_;
    }
};

TEST_F(LaunchErrors, an_empty_region_handle) {
    const Region<int, 1> empty;
    expect_phrases(error_text([&] { runtime_.launch("task", change, write(empty)); }), site,
                   "region argument 1", "the Region handle is empty",
                   "give it a region made by create_region");
}

TEST_F(LaunchErrors, a_region_of_another_runtime) {
    Runtime other(plain());
    const auto y = other.create_region<int>(extents(8), "y");
    other.fill(y, 0);
    expect_phrases(error_text([&] {
                       runtime_.launch(
                           "task", [](View<int, 1>, View<const int, 1>) {}, write(x_), read(y));
                   }),
                   site, "region argument 2, region0 'y' (read)", "belongs to another runtime",
                   "use regions with the runtime that made them");
}

TEST_F(LaunchErrors, reading_what_nothing_has_written) {
    for (const auto& launch : std::vector<std::function<void()>>{
             [&] { runtime_.launch("task", task, read(x_)); },
             [&] { runtime_.launch("task", change, read_write(x_)); },
             [&] {
                 runtime_.launch(
                     "task", [](ReduceView<Sum, int, 1>) {}, reduce<Sum>(x_));
             }})
        expect_phrases(error_text(launch), site, "region argument 1, region0 'x' (re",
                       "the task would see values of a region that nothing has written",
                       "fill it first, or ask for write instead of re");
}

TEST_F(LaunchErrors, changing_what_the_host_looks_at) {
    initialise();
    const auto view = runtime_.read(x_);
    const std::string text = error_text([&] { runtime_.launch("task", change, read_write(x_)); });
    expect_phrases(text, site, "region argument 1, region0 'x' (read-write)",
                   "the host program holds a view of the region (to read), and the task would "
                   "change it",
                   "let the view go out of scope first");
}

TEST_F(LaunchErrors, using_what_the_host_changes) {
    initialise();
    for (const bool discards : {false, true}) {
        const auto view = discards ? runtime_.write(x_) : runtime_.read_write(x_);
        expect_phrases(error_text([&] { runtime_.launch("task", task, read(x_)); }),
                       "holds a view of the region (to write), and the task would read it");
        expect_phrases(error_text([&] { runtime_.launch("task", change, write(x_)); }),
                       "holds a view of the region (to write), and the task would change it");
    }
}

TEST_F(LaunchErrors, a_point_without_a_colour) {
    initialise();
    expect_phrases(
        error_text([&] { runtime_.launch("task", extents(3), task, read(x_, halves_)); }), site,
        "region argument 1, region0 'x' (read)", "point 2 selects colour 2",
        "the partition has colours [0,2)",
        "launch over the partition's colours, or change the projection");
}

TEST_F(LaunchErrors, a_projection_beyond_the_colours) {
    initialise();
    expect_phrases(error_text([&] {
                       runtime_.launch("task", extents(2), task,
                                       read(x_, halves_, [](Point<1> p) { return p - 1; }));
                   }),
                   site, "point 0 selects colour -1", "the partition has colours [0,2)");
}

TEST_F(LaunchErrors, a_colour_that_the_partition_does_not_have) {
    initialise();
    expect_phrases(
        error_text([&] { runtime_.launch("task", task, read(x_, halves_, Point<1>(7))); }), site,
        "the task selects colour 7", "the partition has colours [0,2)");
}

TEST_F(LaunchErrors, a_domain_of_another_rank_than_the_colours) {
    initialise();
    expect_phrases(
        error_text([&] { runtime_.launch("task", extents(1, 2), task, read(x_, halves_)); }), site,
        "the launch domain has rank 2", "the partition's colours have rank 1",
        "give a projection from points of the domain to colours");
}

TEST_F(LaunchErrors, a_single_task_on_a_partition_without_a_colour) {
    initialise();
    expect_phrases(error_text([&] { runtime_.launch("task", task, read(x_, halves_)); }), site,
                   "a single task through a partition must say which colour",
                   "write (region, partition, colour), or launch over the partition's colours");
}

TEST_F(LaunchErrors, subsets_beyond_the_region) {
    initialise();
    const auto larger = tiles(extents(12), 3);
    expect_phrases(
        error_text([&] { runtime_.launch("task", extents(3), change, read_write(x_, larger)); }),
        site, "region argument 1, region0 'x' (read-write)", "subset [8,12)", "point 2",
        "beyond the region's bounds [0,8)", "use a partition of this region's space, or clip it");
    expect_phrases(
        error_text([&] { runtime_.launch("task", task, read(x_, larger, Point<1>(2))); }),
        "subset [8,12)", "beyond the region's bounds [0,8)");
}

TEST_F(LaunchErrors, points_that_write_what_others_write) {
    initialise();
    const auto overlapping = halo(halves_, 1);
    expect_phrases(
        error_text([&] { runtime_.launch("task", extents(2), change, write(x_, overlapping)); }),
        site, "region argument 1, region0 'x' (write)",
        "points of one launch run in parallel, but point 0 uses [0,5) and point 1 "
        "uses [3,8)",
        "write through a disjoint partition, reduce, or launch the points one by one");
    expect_phrases(error_text([&] { runtime_.launch("task", extents(2), change, write(x_)); }),
                   "point 0 uses [0,8) and point 1 uses [0,8)");
}

TEST_F(LaunchErrors, points_that_write_what_others_read) {
    initialise();
    expect_phrases(error_text([&] {
                       runtime_.launch(
                           "task", extents(2), [](View<const int, 1>, View<int, 1>) {},
                           read(x_, halo(halves_, 1)), write(x_, halves_));
                   }),
                   site, "region argument 2, region0 'x' (write)", "point 0 uses [0,4)",
                   "point 1 uses [3,8) (region argument 1, read)");
}

TEST_F(LaunchErrors, points_that_reduce_with_different_operators) {
    initialise();
    expect_phrases(error_text([&] {
                       runtime_.launch(
                           "task", extents(2),
                           [](ReduceView<Sum, int, 1>, ReduceView<Maximum, int, 1>) {},
                           reduce<Sum>(x_), reduce<Maximum>(x_));
                   }),
                   site, "region argument 2, region0 'x' (reduce)", "point 0", "point 1",
                   "(region argument 1, reduce)");
}

/// What was refused once is refused again: it must not have been remembered as good.
TEST_F(LaunchErrors, are_made_again_if_the_mistake_is) {
    initialise();
    const auto wrong = [&] { runtime_.launch("task", extents(3), task, read(x_, halves_)); };
    EXPECT_EQ(error_text(wrong), error_text(wrong));
    const auto good = [&] { runtime_.launch("task", extents(2), task, read(x_, halves_)); };
    good();
    good();
    launched_ += 2;
    EXPECT_THROW(wrong(), UsageError);
}

/// A launch that was good on one region is not good on a smaller one.
TEST_F(LaunchErrors, are_not_missed_behind_launches_that_were_good) {
    const auto small = runtime_.create_region<int>(extents(4), "small");
    const auto set = [&](const Region<int, 1>& region) {
        runtime_.launch("task", extents(2), change, write(region, halves_));
    };
    set(x_);
    set(x_);
    launched_ += 2;
    expect_phrases(error_text([&] { set(small); }), "region1 'small'", "subset [4,8)",
                   "beyond the region's bounds [0,4)");
}

TEST_F(LaunchErrors, more_points_than_a_launch_can_have) {
    expect_phrases(error_text([&] { runtime_.launch("task", extents(5000, 5000), [] {}); }), site,
                   "25000000 points", "more than the 16777216", "launch over larger pieces");
}

TEST_F(LaunchErrors, an_empty_future) {
    const Future<int> empty;
    expect_phrases(error_text([&] {
                       runtime_.launch(
                           "task", [](int) {}, empty);
                   }),
                   site, "future argument 1", "the future is empty",
                   "give it the result of a launch");
}

TEST_F(LaunchErrors, a_future_of_another_runtime) {
    Future<int> ended;
    {
        Runtime other(plain());
        ended = other.launch("value", [] { return 1; });
        expect_phrases(error_text([&] {
                           runtime_.launch(
                               "task", [](int) {}, ended);
                       }),
                       site, "future argument 1", "belongs to another runtime",
                       "pass its value, future.get()");
    }
    expect_phrases(error_text([&] {
                       runtime_.launch(
                           "task", [](int) {}, ended);
                   }),
                   "belongs to another runtime");
}

TEST_F(LaunchErrors, of_fills_name_the_line_that_called_them) {
    const Region<int, 1> empty;
    expect_phrases(error_text([&] { runtime_.fill(empty, 1); }),
                   "launch 'fill' (launch_error_test.cpp:");
    expect_phrases(error_text([&] { runtime_.fill(empty, halves_, 1); }),
                   "launch 'fill' (launch_error_test.cpp:");
}

}  // namespace
}  // namespace refrain::launch_error_test
