/// Partitions: one subset of a space per colour.
///
///     auto space = extents(10);
///     auto p = tiles(space, 4);               // [0,3) [3,6) [6,8) [8,10)
///     auto h = halo(p, 1);                    // [0,4) [2,7) [5,9) [7,10)
///     auto g = ghost(p, 1);                   // {3} {2,6} {5,8} {7}
///     p.is_disjoint() && p.is_complete()      -> true
///     h.is_disjoint()                         -> false
///     p[2]                                    -> IndexSpace<1> [6,8)
///
/// Colours are points of a rectangle: an index launch over p.colours() gives each point task the
/// subset of its own colour. Subsets may overlap (*aliased*, else *disjoint*) and may leave points
/// of the space out (else *complete*); both are computed from the subsets, never asserted.
///
/// Shapes:  a Partition<R, C> has one subset of R-dimensional points per point of a C-dimensional
///          rectangle of colours; at most 2^26 colours.
/// Errors:  UsageError naming the function, the argument and the offending values; the function
///          comments say when. All functions: a space or colours whose volume overflows, no colour,
///          or too many.
/// Complexity: unless a function says otherwise, O(b log b) for b rectangles in all subsets
///          together if they are tiles or intervals (see data::BoxSet).
/// Threads: a partition is an immutable value, shared by its copies; the functions are pure.
#pragma once

#include "refrain/detail/partition_data.hpp"
#include "refrain/detail/partition_factories.hpp"
#include "refrain/index_space.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace refrain {

/// A partition of an R-dimensional space, coloured by the points of a C-dimensional rectangle.
template <int R, int C = R>
class Partition {
  public:
    static constexpr int rank = R;
    static constexpr int colour_rank = C;

    explicit Partition(data::PartitionHandle data) noexcept : data_(std::move(data)) {}
    /// Moving copies, so that no partition is ever empty.
    Partition(const Partition&) noexcept = default;
    Partition& operator=(const Partition&) noexcept = default;
    ~Partition() = default;

    [[nodiscard]] Rect<C> colours() const noexcept { return data::rect_of<C>(data_->colours); }
    [[nodiscard]] std::int64_t colour_count() const noexcept {
        return static_cast<std::int64_t>(data_->subsets.size());
    }
    [[nodiscard]] Rect<R> space() const noexcept { return data::rect_of<R>(data_->space.bounds()); }
    /// No point is in two subsets.
    [[nodiscard]] bool is_disjoint() const noexcept { return data_->disjoint; }
    /// Every point of the space is in a subset.
    [[nodiscard]] bool is_complete() const noexcept { return data_->complete; }

    /// The subset of a colour.
    /// Errors: UsageError if the colour is not in colours().
    [[nodiscard]] IndexSpace<R> subset(const Point<C>& colour) const {
        return IndexSpace<R>(data_->subset(data::coordinates_of(colour)));
    }
    [[nodiscard]] IndexSpace<R> operator[](const Point<C>& colour) const { return subset(colour); }

    [[nodiscard]] const data::PartitionData& data() const noexcept { return *data_; }
    [[nodiscard]] const data::PartitionHandle& handle() const noexcept { return data_; }

    /// Equal spaces, colours and subsets.
    friend bool operator==(const Partition& a, const Partition& b) noexcept {
        return a.data_ == b.data_ ||
               (a.data_->space == b.data_->space && a.data_->colours == b.data_->colours &&
                a.data_->subsets == b.data_->subsets);
    }

  private:
    data::PartitionHandle data_;
};

/// What is beyond the edge of a space: nothing, or the opposite edge.
enum class Boundary : std::uint8_t { clipped, periodic };

/// One boundary per dimension, or one for all dimensions.
template <int R>
struct Boundaries {
    std::array<Boundary, static_cast<std::size_t>(R)> along{};

    constexpr Boundaries(Boundary all) noexcept { along.fill(all); }
    template <std::same_as<Boundary>... B>
    requires(sizeof...(B) == R && R > 1) constexpr Boundaries(B... boundary) noexcept
        : along{boundary...} {}
};

/// Cuts a rectangle into counts[0] x counts[1] x ... tiles whose extents differ by at most one.
///
///     tiles(extents(10), 4)       -> [0,3) [3,6) [6,8) [8,10)
///
/// Larger tiles come first; if there are more tiles than points, the last ones are empty. Disjoint
/// and complete.
///
/// Shapes:  space (n0,...), counts (k0,...) -> k0 x ... tiles of at most ceil(n_d / k_d) points
///          along dimension d.
/// Errors:  UsageError for a count below 1 or more than 2^26 tiles.
template <int R>
[[nodiscard]] Partition<R> tiles(const Rect<R>& space,
                                 const std::type_identity_t<Point<R>>& counts) {
    return Partition<R>(data::make_tiles(data::box_of(space), R, data::coordinates_of(counts)));
}

/// Cuts a rectangle into tiles of the given extents; the last tiles may be smaller.
///
///     tiles_of_extent(extents(10), 4)     -> [0,4) [4,8) [8,10)
///
/// Disjoint and complete.
///
/// Errors:  UsageError for an extent below 1 or an empty space.
template <int R>
[[nodiscard]] Partition<R> tiles_of_extent(const Rect<R>& space,
                                           const std::type_identity_t<Point<R>>& extents) {
    return Partition<R>(
        data::make_tiles_of_extent(data::box_of(space), R, data::coordinates_of(extents)));
}

/// Cuts a matrix into `count` bands of whole rows, whose sizes differ by at most one.
///
///     rows(extents(5, 8), 2)      -> [0,3)x[0,8) [3,5)x[0,8)
///
/// Disjoint and complete.
///
/// Errors:  UsageError for a count below 1.
[[nodiscard]] inline Partition<2, 1> rows(const Rect<2>& space, std::int64_t count) {
    return Partition<2, 1>(data::make_strips(data::box_of(space), 0, count));
}

/// Cuts a matrix into `count` bands of whole columns. Otherwise like rows().
[[nodiscard]] inline Partition<2, 1> columns(const Rect<2>& space, std::int64_t count) {
    return Partition<2, 1>(data::make_strips(data::box_of(space), 1, count));
}

/// Gives every colour the whole space. Complete; aliased if there is more than one colour.
template <int R, int C>
[[nodiscard]] Partition<R, C> whole(const Rect<R>& space, const Rect<C>& colours) {
    return Partition<R, C>(data::make_whole(data::box_of(space), R, data::box_of(colours), C));
}

/// Gives colour i (in row-major order) the rectangle list[i], which may be empty.
///
/// Errors:  UsageError if there is not one rectangle per colour, or one exceeds the space.
template <int R, int C>
[[nodiscard]] Partition<R, C> rectangles(const Rect<R>& space, const Rect<C>& colours,
                                         const std::type_identity_t<std::vector<Rect<R>>>& list) {
    std::vector<data::Box> boxes;
    boxes.reserve(list.size());
    for (const Rect<R>& r : list) boxes.push_back(data::box_of(r));
    return Partition<R, C>(
        data::make_rectangles(data::box_of(space), R, data::box_of(colours), C, boxes));
}

/// Gives colour i (in row-major order) the points of list[i], which may be empty.
///
/// Errors:  UsageError if there is not one subset per colour, or one exceeds the space.
template <int R, int C>
[[nodiscard]] Partition<R, C> subsets(
    const Rect<R>& space, const Rect<C>& colours,
    const std::type_identity_t<std::vector<IndexSpace<R>>>& list) {
    std::vector<data::BoxSet> sets;
    sets.reserve(list.size());
    for (const IndexSpace<R>& s : list) sets.push_back(s.set());
    return Partition<R, C>(
        data::make_subsets(data::box_of(space), R, data::box_of(colours), C, std::move(sets)));
}

namespace data {
template <int R>
[[nodiscard]] HaloShape halo_shape(const Point<R>& low, const Point<R>& high,
                                   const Boundaries<R>& boundaries, bool with_interior) {
    HaloShape shape{.low = coordinates_of(low),
                    .high = coordinates_of(high),
                    .periodic = {},
                    .with_interior = with_interior};
    for (std::size_t d = 0; d < std::size_t{R}; ++d)
        shape.periodic[d] = boundaries.along[d] == Boundary::periodic;
    return shape;
}
}  // namespace data

/// Grows each subset by `low` points below and `high` points above in each dimension.
///
///     halo(tiles(extents(9), 3), 1, 1)                      -> [0,4) [2,7) [5,9)
///     halo(tiles(extents(9), 3), 1, 1, Boundary::periodic)  -> {[0,4), 8} [2,7) {0, [5,9)}
///
/// Points beyond the space are dropped (clipped) or wrapped around to the opposite edge (periodic);
/// in two dimensions `{Boundary::periodic, Boundary::clipped}` is a channel. The result contains
/// the interior; it is usually aliased.
///
/// Errors:  UsageError for a negative width, or a periodic halo in a space that is not a rectangle.
template <int R, int C>
[[nodiscard]] Partition<R, C> halo(
    const Partition<R, C>& interior, const std::type_identity_t<Point<R>>& low,
    const std::type_identity_t<Point<R>>& high,
    const std::type_identity_t<Boundaries<R>>& boundaries = Boundary::clipped) {
    return Partition<R, C>(
        data::make_halo(interior.data(), data::halo_shape<R>(low, high, boundaries, true)));
}

/// A clipped halo of the same width below and above.
template <int R, int C>
[[nodiscard]] Partition<R, C> halo(const Partition<R, C>& interior,
                                   const std::type_identity_t<Point<R>>& width) {
    return halo(interior, width, width);
}

/// A halo without its interior: the points that a colour reads from its neighbours.
///
///     ghost(tiles(extents(9), 3), 1, 1)      -> {3} {2,6} {5}
///
/// Errors:  as halo().
template <int R, int C>
[[nodiscard]] Partition<R, C> ghost(
    const Partition<R, C>& interior, const std::type_identity_t<Point<R>>& low,
    const std::type_identity_t<Point<R>>& high,
    const std::type_identity_t<Boundaries<R>>& boundaries = Boundary::clipped) {
    return Partition<R, C>(
        data::make_halo(interior.data(), data::halo_shape<R>(low, high, boundaries, false)));
}

/// A clipped ghost of the same width below and above.
template <int R, int C>
[[nodiscard]] Partition<R, C> ghost(const Partition<R, C>& interior,
                                    const std::type_identity_t<Point<R>>& width) {
    return ghost(interior, width, width);
}

/// How `image` treats a value with a negative coordinate: as an error, or as pointing to no target.
enum class Negative : std::uint8_t { is_error, points_nowhere };

namespace data {
template <int T>
[[nodiscard]] PointValues point_values(std::span<const Point<T>> values) noexcept {
    return {values.empty() ? nullptr : values.front().coordinate, values.size(), T};
}
[[nodiscard]] inline PointValues point_values(std::span<const std::int64_t> values) noexcept {
    return {values.data(), values.size(), 1};
}
[[nodiscard]] inline PointValues point_values(std::span<const std::int32_t> values) noexcept {
    return {nullptr, values.size(), 1, values.data()};
}
}  // namespace data

/// The points that the values of each subset point to: image[c] = { values[e] : e in source[c] }.
///
///     source: tiles(extents(4), 2),  values {5, 6, 6, 0}
///     image(extents(8), source, values)   -> {5,6} {0,6}
///
/// Shapes:  `values` has one entry per point of source.space(), in row-major order.
/// Errors:  UsageError for the wrong number of values, or a value outside of the target space.
/// Complexity: O(n log n) for n points in all subsets together. To a line, O(n) where they are not
///          spread over more than 64 n points; then a subset of many runs is kept as a bitmap. Large
///          images are made by several threads.
template <int T, int R, int C>
[[nodiscard]] Partition<T, C> image(const Rect<T>& target_space, const Partition<R, C>& source,
                                    const std::type_identity_t<std::span<const Point<T>>>& values,
                                    Negative negative = Negative::is_error) {
    return Partition<T, C>(data::make_image(data::box_of(target_space), source.data(),
                                            data::point_values<T>(values),
                                            negative == Negative::points_nowhere));
}

/// The same for a one-dimensional target, with points as integers of 64 or 32 bits.
template <int R, int C>
[[nodiscard]] Partition<1, C> image(const Rect<1>& target_space, const Partition<R, C>& source,
                                    std::span<const std::int64_t> values,
                                    Negative negative = Negative::is_error) {
    return Partition<1, C>(data::make_image(data::box_of(target_space), source.data(),
                                            data::point_values(values),
                                            negative == Negative::points_nowhere));
}
template <int R, int C>
[[nodiscard]] Partition<1, C> image(const Rect<1>& target_space, const Partition<R, C>& source,
                                    std::span<const std::int32_t> values,
                                    Negative negative = Negative::is_error) {
    return Partition<1, C>(data::make_image(data::box_of(target_space), source.data(),
                                            data::point_values(values),
                                            negative == Negative::points_nowhere));
}

/// The points whose values are in each subset: preimage[c] = { e : values[e] in target[c] }.
///
///     target: tiles(extents(8), 2),  values {5, 6, 6, 0}
///     preimage(extents(4), values, target)    -> {3} {0,1,2}
///
/// An element whose value is in no subset is in no subset of the result. Disjoint if `target` is.
///
/// Shapes:  `values` has one entry per point of the source space, in row-major order.
/// Errors:  UsageError for the wrong number of values.
/// Complexity: O(n log n + r log n + result) for n values and r rows of the target's rectangles; O(n + r
///          + result) from a line, where neither the target has more than 4 n points nor a subset is
///          spread over more than 64 points per element. Large ones are made by several threads.
template <int R, int T, int C>
[[nodiscard]] Partition<R, C> preimage(
    const Rect<R>& source_space, const std::type_identity_t<std::span<const Point<T>>>& values,
    const Partition<T, C>& target) {
    return Partition<R, C>(data::make_preimage(data::box_of(source_space), R,
                                               data::point_values<T>(values), target.data()));
}

/// The same for a one-dimensional target, with points as integers of 64 or 32 bits.
template <int R, int C>
[[nodiscard]] Partition<R, C> preimage(const Rect<R>& source_space,
                                       std::span<const std::int64_t> values,
                                       const Partition<1, C>& target) {
    return Partition<R, C>(data::make_preimage(data::box_of(source_space), R,
                                               data::point_values(values), target.data()));
}
template <int R, int C>
[[nodiscard]] Partition<R, C> preimage(const Rect<R>& source_space,
                                       std::span<const std::int32_t> values,
                                       const Partition<1, C>& target) {
    return Partition<R, C>(data::make_preimage(data::box_of(source_space), R,
                                               data::point_values(values), target.data()));
}

}  // namespace refrain
