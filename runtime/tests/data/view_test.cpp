#include "refrain/view.hpp"

#include "data/error_text.hpp"
#include "data/storage_pool.hpp"
#include "refrain/detail/sparse_partial.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace refrain::view_test {
namespace {

using Reader = View<const double, 2>;
using Writer = View<double, 2>;

static_assert(std::is_same_v<decltype(std::declval<Reader>()[{0, 0}]), const double&>);
static_assert(std::is_same_v<decltype(std::declval<Writer>()(0, 0)), double&>);
static_assert(std::is_same_v<decltype(std::declval<Reader>().span()), std::span<const double>>);
static_assert(!std::is_constructible_v<Writer, const void*, const data::Box&, const data::BoxSet&>);
static_assert(std::is_constructible_v<Reader, const void*, const data::Box&, const data::BoxSet&>);
static_assert(
    std::is_nothrow_constructible_v<Writer, void*, const data::Box&, const data::BoxSet&>);
static_assert(std::is_trivially_copyable_v<Writer>);
static_assert(sizeof(View<char, 1>) <= 64 && sizeof(View<char, 3>) <= 64);
static_assert(!std::is_invocable_v<Writer, int>, "two coordinates, two indices");

/// A region whose elements count 0, 1, 2, ... in row-major order.
template <int R>
struct Region {
    explicit Region(const Rect<R>& rect)
        : bounds(data::box_of(rect)), elements(static_cast<std::size_t>(rect.volume())) {
        std::iota(elements.begin(), elements.end(), 0);
    }
    template <class T = std::int64_t>
    [[nodiscard]] View<T, R> view(const IndexSpace<R>& subset) {
        return View<T, R>(elements.data(), bounds, subset.set());
    }

    data::Box bounds;
    std::vector<std::int64_t> elements;
};

template <int R>
void expect_each_point_at_its_row_major_position(const Rect<R>& rect) {
    Region<R> region(rect);
    const IndexSpace<R> all = rect;
    const auto view = region.view(all);
    std::int64_t position = 0;
    for (const Point<R>& p : rect) EXPECT_EQ(view[p], position++) << p;
    EXPECT_EQ(view.region_bounds(), rect);
    EXPECT_EQ(view.span().size(), region.elements.size());
}

TEST(View, maps_each_point_to_its_row_major_position_in_the_region) {
    expect_each_point_at_its_row_major_position(Rect<1>{-3, 9});
    expect_each_point_at_its_row_major_position(Rect<2>{{-3, 5}, {2, 9}});
    expect_each_point_at_its_row_major_position(Rect<3>{{1, -1, 2}, {3, 2, 7}});
}

// Where point 0 would be lies anywhere in memory, or nowhere.
TEST(View, maps_points_far_from_zero) {
    constexpr std::int64_t far = std::int64_t{1} << 62;
    expect_each_point_at_its_row_major_position(Rect<1>{far, far + 9});
    expect_each_point_at_its_row_major_position(Rect<1>{-far - 9, -far});
    expect_each_point_at_its_row_major_position(Rect<2>{{-far, far}, {-far + 5, far + 4}});
    expect_each_point_at_its_row_major_position(Rect<3>{{far, -far, 2}, {far + 2, -far + 3, 7}});
}

TEST(View, writes_are_seen_by_other_views_of_the_region) {
    Region<3> region(Rect<3>{{0, 0, 0}, {4, 4, 4}});
    const IndexSpace<3> tile = Rect<3>{{1, 1, 1}, {3, 3, 3}};
    const IndexSpace<3> plane = Rect<3>{{2, 0, 0}, {3, 4, 4}};
    region.view(tile)(2, 1, 2) = -5;
    EXPECT_EQ((region.view<const std::int64_t>(plane)[{2, 1, 2}]), -5);
}

TEST(View, knows_its_subset) {
    Region<2> region(extents(4, 6));
    const IndexSpace<2> corner{Rect<2>{{0, 0}, {2, 6}}, Rect<2>{{2, 0}, {4, 1}}};
    const auto view = region.view(corner);
    EXPECT_EQ(view.domain(), extents(4, 6));
    EXPECT_FALSE(view.is_rect());
    EXPECT_TRUE(view.contains({3, 0}));
    EXPECT_FALSE(view.contains({3, 1}));
    std::int64_t count = 0;
    for (const Rect<2>& r : view.rects()) count += r.volume();
    for (const Point<2>& p : view.points()) count += corner.contains(p);
    EXPECT_EQ(count, 2 * corner.volume());
    EXPECT_EQ(view.stride(0), 6);
    EXPECT_EQ(view.stride(1), 1);
    EXPECT_EQ(view.data(), region.elements.data());
}

TEST(View, gives_rows_and_contiguous_pieces_as_spans) {
    Region<2> region(extents(4, 6));
    const IndexSpace<2> tile = Rect<2>{{1, 2}, {3, 5}};
    const auto view = region.view(tile);
    const auto row = view.row(2);
    EXPECT_EQ(std::vector<std::int64_t>(row.begin(), row.end()),
              (std::vector<std::int64_t>{14, 15, 16}));
    EXPECT_FALSE(view.is_contiguous(view.domain()));
    EXPECT_TRUE(view.is_contiguous(Rect<2>{{0, 0}, {2, 6}}));
    EXPECT_TRUE(view.is_contiguous(Rect<2>{{1, 2}, {2, 5}}));
    const IndexSpace<2> band = Rect<2>{{1, 0}, {3, 6}};
    EXPECT_EQ(region.view(band).span().size(), 12U);
    EXPECT_EQ(region.view(band).span().front(), 6);

    Region<3> cube(extents(3, 4, 5));
    const IndexSpace<3> block = Rect<3>{{1, 1, 2}, {2, 3, 5}};
    EXPECT_EQ(cube.view(block).row(1, 2).front(), 32);
    EXPECT_EQ(cube.view(block).row(1, 2).size(), 3U);
    EXPECT_FALSE(cube.view(block).is_contiguous(block.bounds()));
    EXPECT_TRUE(cube.view(block).is_contiguous(Rect<3>{{1, 1, 0}, {2, 3, 5}}));

    Region<1> line(extents(9));
    const IndexSpace<1> middle = Rect<1>{3, 6};
    EXPECT_EQ(line.view(middle).row().front(), 3);
}

/// Fills `subset` of a region and expects nothing else to change.
template <int R>
void expect_fill_sets_the_subset(const Rect<R>& rect, const IndexSpace<R>& subset) {
    Region<R> region(rect);
    const IndexSpace<R> all = rect;
    region.view(subset).fill(-7);
    const auto view = region.view(all);
    std::int64_t position = 0;
    for (const Point<R>& p : rect) {
        EXPECT_EQ(view[p], subset.contains(p) ? -7 : position) << p;
        ++position;
    }
}

TEST(View, fill_sets_every_element_of_the_subset_and_no_other) {
    expect_fill_sets_the_subset<1>(Rect<1>{-3, 9}, Rect<1>{-1, 4});
    const Rect<2> square{{-1, -1}, {5, 6}};
    expect_fill_sets_the_subset<2>(square, square);
    expect_fill_sets_the_subset<2>(square, Rect<2>{{1, 0}, {4, 3}});
    expect_fill_sets_the_subset<2>(square, {Rect<2>{{0, 0}, {2, 2}}, Rect<2>{{3, 1}, {5, 6}}});
    expect_fill_sets_the_subset<2>(square, IndexSpace<2>());
    const Rect<3> cube{{0, 0, 0}, {3, 4, 5}};
    expect_fill_sets_the_subset<3>(cube, Rect<3>{{1, 0, 0}, {3, 4, 5}});
    expect_fill_sets_the_subset<3>(cube, Rect<3>{{0, 1, 2}, {2, 4, 4}});
}

TEST(View, for_each_of_its_points_visits_the_subset_once) {
    Region<2> region(Rect<2>{{0, 0}, {5, 6}});
    const IndexSpace<2> subset{Rect<2>{{0, 0}, {2, 2}}, Rect<2>{{3, 1}, {5, 6}}};
    const auto view = region.view(subset);
    std::vector<Point<2>> visited;
    view.points().for_each([&](const Point<2>& p) { visited.push_back(p); });
    const auto points = view.points();
    EXPECT_EQ(visited, std::vector<Point<2>>(points.begin(), points.end()));
    EXPECT_EQ(visited.size(), static_cast<std::size_t>(subset.volume()));
}

TEST(View, contiguity_agrees_with_the_positions_of_the_points) {
    const Rect<3> bounds{{0, 0, 0}, {2, 3, 2}};
    Region<3> region(bounds);
    const IndexSpace<3> all = bounds;
    const auto view = region.view(all);
    for (const Point<3>& lo : bounds) {
        for (const Point<3>& last : bounds) {
            const Rect<3> piece{lo, last + Point<3>::all(1)};
            if (piece.empty()) continue;
            const bool side_by_side = view[last] - view[lo] + 1 == piece.volume();
            EXPECT_EQ(view.is_contiguous(piece), side_by_side) << piece;
        }
    }
}

TEST(View, refuses_a_span_that_is_not_contiguous) {
    Region<2> region(extents(4, 6));
    const IndexSpace<2> tile = Rect<2>{{1, 2}, {3, 5}};
    expect_phrases(error_text([&] { (void)region.view(tile).span(); }), "[1,3)x[2,5)",
                   "not contiguous in a region of bounds [0,4)x[0,6)", "single rows");
    const IndexSpace<2> corner{Rect<2>{{0, 0}, {2, 6}}, Rect<2>{{2, 0}, {4, 1}}};
    expect_phrases(error_text([&] { (void)region.view(corner).span(); }), "of subset {", "rects()");
}

TEST(View, of_the_empty_set_has_no_points) {
    Region<2> region(extents(4, 6));
    const IndexSpace<2> nothing;
    EXPECT_TRUE(region.view(nothing).domain().empty());
    EXPECT_TRUE(region.view(nothing).span().empty());
    EXPECT_EQ(region.view(nothing).points().begin(), region.view(nothing).points().end());
}

TEST(ReduceView, folds_into_a_private_buffer_over_the_bounds_of_the_subset) {
    const IndexSpace<2> subset = Rect<2>{{2, 3}, {4, 6}};
    std::vector<double> buffer(6);
    const data::ReductionFunctions& sum = data::reduction_functions<Sum, double>();
    sum.initialise(buffer.data(), buffer.size());
    const ReduceView<Sum, double, 2> view(buffer.data(), subset.set().bounds(), subset.set());
    EXPECT_EQ(view.domain(), subset.bounds());
    view.reduce({3, 4}, 1.5);
    view.reduce({3, 4}, 2);
    view.reduce({2, 3}, 7);
    EXPECT_EQ(buffer, (std::vector<double>{7, 0, 0, 0, 3.5, 0}));
}

/// Elements [2,4) and [7,9), each folded once, whether the buffer is whole or in chunks.
TEST(ReduceView, reduce_each_folds_once_into_each_point_of_the_subset) {
    const std::vector<data::Box> pieces = {{{2, 0, 0}, {4, 1, 1}}, {{7, 0, 0}, {9, 1, 1}}};
    const data::BoxSet subset = data::BoxSet::of_boxes(pieces);
    const auto square = [](const Point<1>& p) { return static_cast<double>(p[0] * p[0]); };

    std::vector<double> buffer(7);
    const ReduceView<Sum, double, 1> whole(buffer.data(), subset.bounds(), subset);
    whole.reduce_each(square);
    whole.reduce_each(square);
    EXPECT_EQ(buffer, (std::vector<double>{8, 18, 0, 0, 0, 98, 128}));

    data::StoragePool pool;
    data::SparsePartial sparse(subset.bounds(), data::reduction_functions<Sum, double>(), pool);
    const ReduceView<Sum, double, 1> chunks(nullptr, subset.bounds(), subset, nullptr, &sparse);
    chunks.reduce_each(square);
    for (const std::int64_t i : {2, 3, 5, 8}) {
        const double expected = i == 5 ? 0 : static_cast<double>(i * i);
        EXPECT_EQ(*static_cast<double*>(sparse.element({i, 0, 0})), expected) << i;
    }
}

TEST(ReduceView, reduce_each_converts_values_to_elements_as_reduce_does) {
    const data::BoxSet subset(data::Box{{0, 0, 0}, {2, 1, 1}});
    std::vector<float> buffer(2);
    const ReduceView<Sum, float, 1> view(buffer.data(), subset.bounds(), subset);
    view.reduce({0}, 1.5);
    view.reduce_each([](const Point<1>& p) { return 0.5 + static_cast<double>(p[0]); });
    EXPECT_EQ(buffer, (std::vector<float>{2, 1.5}));
}

}  // namespace
}  // namespace refrain::view_test
