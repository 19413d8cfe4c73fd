#include "runtime/harness.hpp"
#include "runtime/launch_errors.hpp"

#include <limits>

namespace refrain::launch_error_test {
namespace {

/// Every misuse of a launch throws a message that names launch, argument, both values and the way
/// out; nothing is launched.
class LaunchErrors : public ::testing::Test {
  protected:
    ~LaunchErrors() override {
        const std::uint64_t before = runtime_.statistics().launches.operations;
        EXPECT_EQ(before, launched_) << "a refused launch was counted";
        runtime_.fill(x_, 1);
        EXPECT_EQ(values_of(runtime_, x_), std::vector<int>(8, 1)) << "the runtime cannot continue";
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

TEST_F(LaunchErrors, an_empty_region_handle_is_refused) {
    const Region<int, 1> empty;
    expect_phrases(error_text([&] { runtime_.launch("task", change, write(empty)); }), site,
                   "region argument 1", "the Region handle is empty",
                   "give it a region made by create_region");
}

TEST_F(LaunchErrors, a_region_of_another_runtime_is_refused) {
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

TEST_F(LaunchErrors, reading_an_unwritten_region_is_refused) {
    for (const auto& launch : std::vector<std::function<void()>>{
             [&] { runtime_.launch("task", task, read(x_)); },
             [&] { runtime_.launch("task", change, read_write(x_)); }})
        expect_phrases(error_text(launch), site, "region argument 1, region0 'x' (re",
                       "the task needs values of a region that nothing has written",
                       "fill it first, or request write instead of re");
}

/// Writing instead would lose the values of other points.
TEST_F(LaunchErrors,
       reducing_into_an_unwritten_region_is_refused_with_the_identity_as_the_way_out) {
    const std::string text = error_text([&] {
        runtime_.launch(
            "task", [](ReduceView<Sum, int, 1>) {}, reduce<Sum>(x_));
    });
    expect_phrases(text, site, "region argument 1, region0 'x' (reduce)",
                   "the task folds values into a region that nothing has written",
                   "fill it first, with the identity of Sum");
    EXPECT_EQ(text.find("request write"), std::string::npos) << text;
}

TEST_F(LaunchErrors, writing_a_region_that_the_host_reads_is_refused) {
    initialise();
    const auto view = runtime_.read(x_);
    const std::string text = error_text([&] { runtime_.launch("task", change, read_write(x_)); });
    expect_phrases(text, site, "region argument 1, region0 'x' (read-write)",
                   "the host program holds a view of the region (to read), and the task would "
                   "change it",
                   "let the view go out of scope first");
}

TEST_F(LaunchErrors, using_a_region_that_the_host_writes_is_refused) {
    initialise();
    for (const bool discards : {false, true}) {
        const auto view = discards ? runtime_.write(x_) : runtime_.read_write(x_);
        expect_phrases(error_text([&] { runtime_.launch("task", task, read(x_)); }),
                       "holds a view of the region (to write), and the task would read it");
        expect_phrases(error_text([&] { runtime_.launch("task", change, write(x_)); }),
                       "holds a view of the region (to write), and the task would change it");
    }
}

TEST_F(LaunchErrors, a_point_outside_the_colours_is_refused) {
    initialise();
    expect_phrases(
        error_text([&] { runtime_.launch("task", extents(3), task, read(x_, halves_)); }), site,
        "region argument 1, region0 'x' (read)", "point 2 selects colour 2",
        "the partition has colours [0,2)",
        "launch over the partition's colours, or change the projection");
}

TEST_F(LaunchErrors, a_projection_outside_the_colours_is_refused) {
    initialise();
    expect_phrases(error_text([&] {
                       runtime_.launch("task", extents(2), task,
                                       read(x_, halves_, [](Point<1> p) { return p - 1; }));
                   }),
                   site, "point 0 selects colour -1", "the partition has colours [0,2)");
}

TEST_F(LaunchErrors, a_colour_outside_the_partition_is_refused) {
    initialise();
    expect_phrases(
        error_text([&] { runtime_.launch("task", task, read(x_, halves_, Point<1>(7))); }), site,
        "the task selects colour 7", "the partition has colours [0,2)");
}

TEST_F(LaunchErrors, a_domain_of_another_rank_than_the_colours_is_refused) {
    initialise();
    expect_phrases(
        error_text([&] { runtime_.launch("task", extents(1, 2), task, read(x_, halves_)); }), site,
        "the launch domain has rank 2", "the partition's colours have rank 1",
        "give a projection from points of the domain to colours");
}

TEST_F(LaunchErrors, a_single_task_on_a_partition_needs_a_colour) {
    initialise();
    expect_phrases(error_text([&] { runtime_.launch("task", task, read(x_, halves_)); }), site,
                   "a single task on a partition must name a colour",
                   "write (region, partition, colour), or launch over the partition's colours");
}

TEST_F(LaunchErrors, subsets_beyond_the_region_are_refused) {
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

TEST_F(LaunchErrors, points_that_write_a_common_element_are_refused) {
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

TEST_F(LaunchErrors, points_that_write_what_other_points_read_are_refused) {
    initialise();
    expect_phrases(error_text([&] {
                       runtime_.launch(
                           "task", extents(2), [](View<const int, 1>, View<int, 1>) {},
                           read(x_, halo(halves_, 1)), write(x_, halves_));
                   }),
                   site, "region argument 2, region0 'x' (write)", "point 0 uses [0,4)",
                   "point 1 uses [3,8) (region argument 1, read)");
}

TEST_F(LaunchErrors, reductions_of_one_element_with_different_operators_are_refused) {
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

/// A refused launch must not be cached as valid.
TEST_F(LaunchErrors, a_repeated_mistake_is_refused_again) {
    initialise();
    const auto wrong = [&] { runtime_.launch("task", extents(3), task, read(x_, halves_)); };
    EXPECT_EQ(error_text(wrong), error_text(wrong));
    const auto good = [&] { runtime_.launch("task", extents(2), task, read(x_, halves_)); };
    good();
    good();
    launched_ += 2;
    EXPECT_THROW(wrong(), UsageError);
}

/// A launch that is valid on one region is invalid on a smaller one.
TEST_F(LaunchErrors, a_valid_launch_does_not_hide_an_invalid_one) {
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

TEST_F(LaunchErrors, more_points_than_a_launch_can_have_are_refused) {
    expect_phrases(error_text([&] { runtime_.launch("task", extents(5000, 5000), [] {}); }), site,
                   "the launch domain [0,5000)x[0,5000) has 25000000 points",
                   "more than the 16777216", "launch over larger pieces");
}

TEST_F(LaunchErrors, domains_whose_points_overflow_are_refused) {
    const auto power = [](int exponent) { return std::int64_t{1} << exponent; };
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const auto expect_refused = [&](const auto& domain, const char* points) {
        expect_phrases(error_text([&] { runtime_.launch("task", domain, [] {}); }), site,
                       "the launch domain " + to_string(domain) + " has " + points + " points",
                       "launch over larger pieces");
        expect_phrases(error_text([&] {
                           static_cast<void>(runtime_.launch("task", domain, [] { return 1; }));
                       }),
                       site, points);
    };
    expect_refused(extents(power(22), power(21), power(21)), "2^63 or more");  // 0 in 64 bits
    expect_refused(extents(power(62) + 1, 4), "2^63 or more");                 // 4 in 64 bits
    expect_refused(extents(power(50)), "1125899906842624");
    expect_refused(extents(most), "9223372036854775807");
    expect_refused(Rect<1>{-1, most}, "2^63 or more");
    expect_refused(Rect<2>{{-most, 0}, {most, 1}}, "2^63 or more");
}

/// Calls the check alone: 2^24 tasks would take seconds.
TEST_F(LaunchErrors, begin_exactly_above_the_most_points) {
    const LaunchSite launch("task");
    const auto points = [&](const auto& domain) {
        return runtime::checked_points(launch, data::box_of(domain), domain.rank);
    };
    EXPECT_EQ(points(extents(1 << 24)), 1U << 24);
    EXPECT_EQ(points(extents(1 << 8, 1 << 9, 1 << 7)), 1U << 24);
    EXPECT_EQ(points(Rect<1>{-5, (1 << 24) - 5}), 1U << 24);
    EXPECT_EQ(points(extents(0, 7)), 0U);
    EXPECT_THROW(points(extents((1 << 24) + 1)), UsageError);
    EXPECT_THROW(points(extents((1 << 8) + 1, 1 << 9, 1 << 7)), UsageError);
    EXPECT_EQ(runtime::checked_points(launch, runtime::single_task_domain, 0), 1U);
}

/// The footprint of [0,2) is known when [0,2)x[0,1) asks for it, and that of [0,1) when a single
/// task does.
TEST_F(LaunchErrors, do_not_depend_on_earlier_launches) {
    initialise();
    const auto flat = [&] { runtime_.launch("task", extents(2, 1), task, read(x_, halves_)); };
    const auto one = tiles(x_.bounds(), 1);
    const auto without_colour = [&] { runtime_.launch("task", task, read(x_, one)); };
    const std::string wrong_rank = error_text(flat);
    const std::string no_colour = error_text(without_colour);
    runtime_.launch("task", halves_.colours(), task, read(x_, halves_));
    runtime_.launch("task", one.colours(), task, read(x_, one));
    launched_ += 2;
    expect_phrases(wrong_rank, "the launch domain has rank 2", "colours have rank 1");
    EXPECT_EQ(error_text(flat), wrong_rank);
    EXPECT_EQ(error_text(without_colour), no_colour);
}

/// To find the two points took a comparison of each with each, ten minutes for as many.
TEST_F(LaunchErrors, name_the_last_two_of_very_many_points) {
    constexpr std::int64_t n = 1 << 19;
    std::vector<Rect<1>> pieces;
    for (std::int64_t i = 0; i < n; ++i) pieces.push_back({2 * i, 2 * i + 2});
    --pieces.back().lo[0];
    const auto y = runtime_.create_region<char>(extents(2 * n), "y");
    const auto subsets = rectangles(y.bounds(), extents(n), pieces);
    expect_phrases(error_text([&] {
                       runtime_.launch(
                           "task", subsets.colours(), [](View<char, 1>) {}, write(y, subsets));
                   }),
                   site, "point 524286 uses [1048572,1048574)",
                   "and point 524287 uses [1048573,1048576)");
}

TEST_F(LaunchErrors, do_not_list_a_subset_of_very_many_rectangles) {
    std::vector<std::int64_t> even;
    for (std::int64_t i = 0; i < 100'000; ++i) even.push_back(2 * i);
    const auto pieces = image(extents(200'000), whole(extents(100'000), extents(1)), even);
    initialise();
    const std::string text =
        error_text([&] { runtime_.launch("task", task, read(x_, pieces, Point<1>(0))); });
    expect_phrases(text, site, "the subset {[0,1), [2,3), ", "and 99992 more} of the task");
    EXPECT_LT(text.size(), 500U);
}

TEST_F(LaunchErrors, an_empty_future_is_refused) {
    const Future<int> empty;
    expect_phrases(error_text([&] {
                       runtime_.launch(
                           "task", [](int) {}, empty);
                   }),
                   site, "future argument 1", "the future is empty",
                   "give it the result of a launch");
}

TEST_F(LaunchErrors, a_future_of_another_runtime_is_refused) {
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

TEST_F(LaunchErrors, errors_of_fills_name_the_calling_line) {
    const Region<int, 1> empty;
    expect_phrases(error_text([&] { runtime_.fill(empty, 1); }),
                   "launch 'fill' (launch_error_test.cpp:");
    expect_phrases(error_text([&] { runtime_.fill(empty, halves_, 1); }),
                   "launch 'fill' (launch_error_test.cpp:");
}

}  // namespace
}  // namespace refrain::launch_error_test
