#include "runtime/harness.hpp"

#include <functional>
#include <limits>

namespace refrain::host_error_test {
namespace {

class HostErrors : public ::testing::Test {
  protected:
    Runtime runtime_{plain()};
    Region<int, 1> x_ = runtime_.create_region<int>(extents(8), "x");
};

TEST_F(HostErrors, a_view_of_an_empty_handle_is_refused) {
    const Region<int, 1> empty;
    expect_phrases(error_text([&] { static_cast<void>(runtime_.read(empty)); }),
                   "host access (read) to an empty Region handle",
                   "give it a region made by create_region");
}

TEST_F(HostErrors, a_view_of_a_region_of_another_runtime_is_refused) {
    Runtime other(plain());
    expect_phrases(error_text([&] { static_cast<void>(other.write(x_)); }),
                   "host access (write) to region0 'x'", "belongs to another runtime",
                   "use regions with the runtime that made them");
}

TEST_F(HostErrors, reading_an_unwritten_region_is_refused) {
    expect_phrases(error_text([&] { static_cast<void>(runtime_.read(x_)); }),
                   "host access (read) to region0 'x'", "nothing has written the region",
                   "fill it first");
    expect_phrases(error_text([&] { static_cast<void>(runtime_.read_write(x_)); }),
                   "host access (read-write) to region0 'x'", "nothing has written the region");
}

TEST_F(HostErrors, a_second_view_is_refused_if_one_of_them_writes) {
    runtime_.fill(x_, 1);
    const std::string both = "the host program holds another view of it";
    {
        const auto reading = runtime_.read(x_);
        expect_phrases(error_text([&] { static_cast<void>(runtime_.read_write(x_)); }), both,
                       "let that go out of scope first");
        expect_phrases(error_text([&] { static_cast<void>(runtime_.write(x_)); }), both);
    }
    const auto writing = runtime_.write(x_);
    expect_phrases(error_text([&] { static_cast<void>(runtime_.read(x_)); }), both);
    expect_phrases(error_text([&] { static_cast<void>(runtime_.write(x_)); }), both);
}

TEST_F(HostErrors, an_image_of_values_outside_the_space_is_refused) {
    runtime_.fill(x_, 1);
    const auto pointers = runtime_.create_region<std::int64_t>(extents(2), "pointers");
    set_values<std::int64_t, 1>(runtime_, pointers, {3, 9});
    expect_phrases(
        error_text(
            [&] { static_cast<void>(runtime_.image(extents(8), tiles(extents(2), 2), pointers)); }),
        "9", "[0,8)");
}

TEST_F(HostErrors, a_region_without_elements_is_refused) {
    expect_phrases(
        error_text([&] { static_cast<void>(runtime_.create_region<int>(extents(4, 0), "flat")); }),
        "create_region 'flat'", "the bounds are empty",
        "give every dimension an extent of at least 1");
}

TEST_F(HostErrors, a_region_larger_than_the_address_space_is_refused) {
    const std::int64_t huge = std::int64_t{1} << 40;
    expect_phrases(
        error_text([&] {
            static_cast<void>(runtime_.create_region<double>(extents(huge, 1 << 21), "huge"));
        }),
        "create_region 'huge': bounds is [0,1099511627776)x[0,2097152)",
        "elements of 8 bytes exceed the address space", "make it smaller");
    expect_phrases(error_text([&] {
                       static_cast<void>(runtime_.create_region<char>(extents(huge, huge), "huge"));
                   }),
                   "create_region 'huge': bounds is [0,1099511627776)x[0,1099511627776)",
                   "use smaller extents");
}

TEST_F(HostErrors, begin_exactly_above_the_largest_region) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const auto bytes = runtime_.create_region<char>(extents(most), "bytes");
    EXPECT_EQ(bytes.bounds().volume(), most);
    EXPECT_THROW(static_cast<void>(runtime_.create_region<char>(Rect<1>{-1, most})), UsageError);
    EXPECT_THROW(static_cast<void>(runtime_.create_region<char>(extents(most / 2 + 1, 2))),
                 UsageError);
    static_cast<void>(runtime_.create_region<double>(extents(most / 8)));
    EXPECT_THROW(static_cast<void>(runtime_.create_region<double>(extents(most / 8 + 1))),
                 UsageError);
    EXPECT_EQ(runtime_.statistics().storage.bytes_peak, 0U) << "no memory is taken";
}

/// The products of coordinates and strides overflow, and the elements are next to one another.
TEST_F(HostErrors, do_not_concern_small_regions_far_from_the_origin) {
    const std::int64_t far = std::int64_t{1} << 62;
    const Rect<2> bounds{{far, -far}, {far + 2, -far + 40}};
    const auto region = runtime_.create_region<int>(bounds, "far");
    runtime_.fill(region, 3);
    const auto view = runtime_.read_write(region);
    view[Point<2>(far + 1, -far + 39)] = 4;
    EXPECT_EQ(view.elements().front(), 3);
    EXPECT_EQ(view.elements().back(), 4);
}

TEST_F(HostErrors, elements_aligned_more_strictly_than_regions_are_refused) {
    struct alignas(128) Wide {
        char bytes[128];
    };
    expect_phrases(
        error_text([&] { static_cast<void>(runtime_.create_region<Wide>(extents(4), "wide")); }),
        "create_region 'wide'", "elements are aligned to 128 bytes, regions to 64",
        "use a type with a smaller alignment");
}

TEST_F(HostErrors, an_empty_future_has_no_value) {
    const Future<int> empty;
    expect_phrases(error_text([&] { static_cast<void>(empty.get()); }), "get() of an empty future",
                   "it was never given the result of a launch");
    EXPECT_THROW(static_cast<void>(empty.ready()), UsageError);
    const FutureMap<int, 1> empty_map;
    for (const auto& question :
         std::vector<std::function<void()>>{[&] { static_cast<void>(empty_map.get(0)); },
                                            [&] { static_cast<void>(empty_map.ready()); },
                                            [&] { static_cast<void>(empty_map.domain()); }})
        expect_phrases(error_text(question), "an empty future", "assign what launch() returns");
    EXPECT_FALSE(empty_map);
}

TEST_F(HostErrors, an_empty_region_handle_has_neither_bounds_nor_a_name) {
    Region<int, 1> moved = x_;
    const Region<int, 1> other = std::move(moved);
    for (const Region<int, 1>& empty : {Region<int, 1>(), moved}) {
        expect_phrases(error_text([&] { static_cast<void>(empty.bounds()); }),
                       "bounds() of an empty Region handle", "made by create_region");
        expect_phrases(error_text([&] { static_cast<void>(empty.name()); }),
                       "name() of an empty Region handle", "made by create_region");
    }
    EXPECT_EQ(other.bounds(), extents(8));
}

TEST_F(HostErrors, a_partition_is_never_empty) {
    Partition<1> halves = tiles(x_.bounds(), 2);
    const Partition<1> other = std::move(halves);
    EXPECT_EQ(halves.colours(), extents(2));
    EXPECT_EQ(halves, other);
}

TEST_F(HostErrors, a_future_map_refuses_points_that_were_not_launched) {
    const auto map = runtime_.launch("values", extents(2, 3), [](Point<2>) { return 1; });
    expect_phrases(error_text([&] {
                       static_cast<void>(map.get({2, 0}));
                   }),
                   "get() of point (2,0) of a launch over [0,2)x[0,3)",
                   "ask for a point of the launch domain");
}

TEST_F(HostErrors, nested_traces_are_refused) {
    runtime_.begin_trace(1);
    expect_phrases(error_text([&] { runtime_.begin_trace(2); }), "begin_trace(2) inside trace 1",
                   "traces do not nest", "end the first one before");
    runtime_.end_trace(1);
}

TEST_F(HostErrors, end_trace_without_begin_trace_is_refused) {
    expect_phrases(error_text([&] { runtime_.end_trace(5); }), "end_trace(5) without a begin_trace",
                   "call begin_trace(5) first");
    runtime_.begin_trace(1);
    expect_phrases(error_text([&] { runtime_.end_trace(2); }), "end_trace(2) inside trace 1",
                   "end that one");
    runtime_.end_trace(1);
    EXPECT_THROW(runtime_.end_trace(1), UsageError);
}

TEST_F(HostErrors, trace_ids_of_automatic_tracing_are_refused) {
    expect_phrases(error_text([&] { runtime_.begin_trace(std::uint64_t{1} << 63); }),
                   "begin_trace(9223372036854775808)", "taken by automatic tracing",
                   "use a smaller one");
    runtime_.begin_trace((std::uint64_t{1} << 63) - 1);
    runtime_.end_trace((std::uint64_t{1} << 63) - 1);
}

}  // namespace
}  // namespace refrain::host_error_test
