/// Views: a task's access to the elements of a region argument.
///
///     void smooth(View<const double, 1> in, View<double, 1> out) {
///         for (Point<1> p : out.domain()) out[p] = (in[p - 1] + in[p] + in[p + 1]) / 3;
///     }
///
/// A view is indexed by points of the region, not from zero: tile [6,8) has v[6] and v[7]. It is
/// valid while the task runs.
///
/// Errors:   in debug builds, and with REFRAIN_CHECK_BOUNDS defined, access to a point outside of
///           the subset throws UsageError naming point and subset. Release builds do not check.
///           With CheckOptions::strict_reads, such builds also refuse to read an element that was
///           never written: through a View<const T> or a ReduceView, element by element, and all
///           elements of a span. An access through a View<T> counts as a write.
/// Hot path: construction, once per argument and point task: five stores and two multiplications,
///           without branches. An access: one multiply-add per dimension beyond the first.
/// Threads:  the runtime never runs tasks with conflicting views in parallel.
#pragma once

#include "refrain/detail/box_set.hpp"
#include "refrain/detail/sparse_partial.hpp"
#include "refrain/detail/written_elements.hpp"
#include "refrain/index_space.hpp"
#include "refrain/reduction.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

#if !defined(REFRAIN_CHECK_BOUNDS) && !defined(NDEBUG)
#define REFRAIN_CHECK_BOUNDS 1
#endif

// Checked and unchecked views have different linker symbols, so that a program may mix them.
#ifdef REFRAIN_CHECK_BOUNDS
#define REFRAIN_VIEWS checked_views
#else
#define REFRAIN_VIEWS unchecked_views
#endif

namespace refrain {

namespace data {
/// Throws UsageError: the point is not in the argument's subset.
[[noreturn]] void refuse_point(const Coordinates& point, const BoxSet& subset, int rank);
/// Throws UsageError: the piece is not contiguous in the region's storage.
[[noreturn]] void refuse_span(const Box& piece, const BoxSet& subset, const Box& region, int rank);
}  // namespace data

inline namespace REFRAIN_VIEWS {

template <class Op, class T, int R>
requires ReductionOperator<Op, T>
class ReduceView;

/// A view of R dimensions. T is const for arguments that are read only.
template <class T, int R>
class View {
  public:
    using value_type = std::remove_const_t<T>;
    using Storage = std::conditional_t<std::is_const_v<T>, const void, void>;
    static constexpr int rank = R;

    static_assert(std::is_trivially_copyable_v<value_type>,
                  "regions hold elements that can be copied as bytes");

    /// `storage` holds the elements of `region_bounds` in row-major order. `region_bounds` and
    /// `subset` must outlive the view. Checked builds mark and ask what was written in `written`,
    /// unless it is null.
    View(Storage* storage, const data::Box& region_bounds, const data::BoxSet& subset,
         [[maybe_unused]] data::WrittenElements* written = nullptr) noexcept
        : elements_(static_cast<T*>(storage)), region_(&region_bounds), subset_(&subset) {
#ifdef REFRAIN_CHECK_BOUNDS
        written_ = written;
#endif
        std::int64_t stride = 1;
        std::uint64_t first = 0;  // the index of the lower corner, counted from point 0
        for (std::size_t d = R - 1; d > 0; --d) {
            first += modular(region_bounds.lo[d]) * modular(stride);
            stride *= region_bounds.hi[d] - region_bounds.lo[d];
            stride_[d - 1] = stride;
        }
        first += modular(region_bounds.lo[0]) * modular(stride);
        zero_ = reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(storage) - first * sizeof(T));
    }

    [[nodiscard]] T& operator[](const Point<R>& p) const {
        check(p);
        return *address(p);
    }
    template <std::integral... I>
    requires(sizeof...(I) == R) [[nodiscard]] T& operator()(I... i) const {
        return (*this)[Point<R>(i...)];
    }

    /// The bounding rectangle of the subset; equals the subset if is_rect().
    [[nodiscard]] Rect<R> domain() const noexcept {
        return data::rect_of<R>(subset_->bounds());
    }
    [[nodiscard]] bool is_rect() const noexcept {
        return subset_->is_box();
    }
    /// The subset's rectangles.
    [[nodiscard]] data::RectRange<R> rects() const noexcept {
        return data::RectRange<R>(subset_->boxes());
    }
    /// The subset's points: rectangle by rectangle, each in row-major order.
    [[nodiscard]] data::PointRange<R> points() const noexcept {
        return data::PointRange<R>(subset_->boxes());
    }
    [[nodiscard]] bool contains(const Point<R>& p) const noexcept {
        return subset_->contains(data::coordinates_of(p));
    }
    [[nodiscard]] Rect<R> region_bounds() const noexcept {
        return data::rect_of<R>(*region_);
    }

    /// Whether the elements of `piece` are contiguous in memory, in row-major order.
    [[nodiscard]] bool is_contiguous(const Rect<R>& piece) const noexcept {
        bool several_before = false;  // an outer dimension has extent above one
        for (int d = 0; d < R; ++d) {
            if (several_before && piece.extent(d) != region_->extent(d)) return piece.empty();
            several_before = several_before || piece.extent(d) > 1;
        }
        return true;
    }
    /// The elements of `piece` as one span.
    ///
    /// Errors: UsageError if `piece` is not contiguous or (checked builds) not in the subset.
    [[nodiscard]] std::span<T> span(const Rect<R>& piece) const {
        if (!is_contiguous(piece)) data::refuse_span(data::box_of(piece), *subset_, *region_, R);
        if (piece.empty()) return {};
        check(piece);
        return {address(piece.lo), static_cast<std::size_t>(piece.volume())};
    }
    /// The elements of the subset as one span.
    /// Errors: UsageError if the subset is not a contiguous rectangle.
    [[nodiscard]] std::span<T> span() const {
        if (!is_rect()) data::refuse_span(subset_->bounds(), *subset_, *region_, R);
        return span(domain());
    }
    /// The elements of one line along the last dimension: v.row(i) in two dimensions, v.row(i, j)
    /// in three. It spans the domain: element 0 is at domain().lo in the last dimension.
    /// Errors: UsageError (checked builds) if the line is not in the subset.
    template <std::integral... I>
    requires(sizeof...(I) == R - 1) [[nodiscard]] std::span<T> row(I... i) const {
        const data::Box& bounds = subset_->bounds();
        const std::int64_t lo = bounds.lo[R - 1], hi = bounds.hi[R - 1];
        if (hi <= lo) return {};
        const Point<R> begin(i..., lo);
        check(Rect<R>{begin, Point<R>((i + 1)..., hi)});
        return {address(begin), static_cast<std::size_t>(hi - lo)};
    }

    /// Sets every element of the subset: line by line, or at once where they are contiguous.
    void fill(const value_type& value) const requires(!std::is_const_v<T>) {
        const value_type one = value;  // not an element that changes meanwhile
        for (const data::Box& box : subset_->boxes()) {
            const Rect<R> rect = data::rect_of<R>(box);
            check(rect);
            if (is_contiguous(rect))
                fill_line(address(rect.lo), rect.volume(), one);
            else
                fill_lines(rect, one);
        }
    }

    /// The element at the lower corner of region_bounds(). What is accessed through it is not
    /// checked.
    [[nodiscard]] T* data() const noexcept {
        mark_all();
        return elements_;
    }
    /// The distance between neighbours along dimension d, in elements.
    [[nodiscard]] std::int64_t stride(int d) const noexcept {
        return d == R - 1 ? 1 : stride_[d];
    }
    [[nodiscard]] const data::BoxSet& subset() const noexcept {
        return *subset_;
    }

  private:
    template <class Op, class U, int Q>
    requires ReductionOperator<Op, U>
    friend class ReduceView;

    void fill_lines(const Rect<R>& rect, value_type value) const {
        Rect<R> starts = rect;
        starts.hi[R - 1] = starts.lo[R - 1] + 1;
        const std::int64_t length = rect.extent(R - 1);
        starts.for_each([&](const Point<R>& start) { fill_line(address(start), length, value); });
    }
    static void fill_line(T* at, std::int64_t length, value_type value) {
        T* const end = at + length;
#ifndef __clang__
#pragma GCC unroll 8  // which g++ does not do by itself
#endif
        for (; at != end; ++at) *at = value;
    }
    /// Far from point 0 the terms of an address overflow, and their sum does not.
    [[nodiscard]] static constexpr std::uint64_t modular(std::int64_t i) noexcept {
        return static_cast<std::uint64_t>(i);
    }
    /// One base, so that an access in a loop is one instruction.
    [[nodiscard]] __attribute__((no_sanitize("pointer-overflow"))) T* address(
        const Point<R>& p) const noexcept {
        std::uint64_t i = modular(p[R - 1]);
        for (int d = 0; d < R - 1; ++d) i += modular(p[d]) * modular(stride_[d]);
        return zero_ + static_cast<std::int64_t>(i);
    }

#ifdef REFRAIN_CHECK_BOUNDS
    void check(const Point<R>& p) const {
        if (!contains(p)) data::refuse_point(data::coordinates_of(p), *subset_, R);
        if (written_ != nullptr) note(data::coordinates_of(p));
    }
    void check(const Rect<R>& piece) const {
        if (!subset_->contains(data::BoxSet(data::box_of(piece))))
            data::refuse_point(data::coordinates_of(piece.lo), *subset_, R);
        if (written_ != nullptr) note(data::box_of(piece));
    }
    /// A read of what must have been written, or a write.
    template <class Elements>
    void note(const Elements& elements) const {
        if constexpr (std::is_const_v<T>)
            written_->require(elements);
        else
            written_->add(elements);
    }
    void mark_all() const noexcept {
        if constexpr (!std::is_const_v<T>)
            if (written_ != nullptr) written_->add(*subset_);
    }
#else
    void mark_all() const noexcept {}
    void check(const Point<R>&) const noexcept {}
    void check(const Rect<R>&) const noexcept {}
#endif

    // Compilers store and copy these in pairs, and a task copies its views right after they were stored. A
    // core waits when it loads as one pair what it has just stored as two words. So what is stored
    // together is a pair: elements_ and zero_, region_ and subset_.
    T* elements_;
    T* zero_;  ///< where point 0 would be, modulo 2^64
    const data::Box* region_;
    const data::BoxSet* subset_;
    std::int64_t stride_[static_cast<std::size_t>(R > 1 ? R - 1 : 1)] = {};
#ifdef REFRAIN_CHECK_BOUNDS
    data::WrittenElements* written_ = nullptr;
#endif
};

static_assert(sizeof(View<double, 3>) <= 64,
              "a view is made per argument and task: one cache line");

/// A task's access to a region argument with the privilege reduce.
///
///     void count(View<const std::int64_t, 1> keys, ReduceView<Sum, std::int64_t, 1> histogram) {
///         for (Point<1> p : keys.domain()) histogram.reduce(keys[p], 1);
///     }
///
/// Values are folded into a private buffer over the bounds of the subset, which is folded into the
/// region later. Current values cannot be read. For a subset of 256 KiB or more, the buffer is made
/// in chunks of 4 KiB as they are touched (data::SparsePartial), unless reductions are deterministic
/// or most tasks of the launch site touch half of the chunks.
///
/// Errors:  in checked builds, UsageError for a point outside of the subset.
template <class Op, class T, int R>
requires ReductionOperator<Op, T>
class ReduceView {
  public:
    using value_type = T;
    using Operator = Op;
    static constexpr int rank = R;

    /// `buffer` holds the elements of `buffer_bounds` in row-major order, initialised. Checked
    /// builds ask `written` for the region's elements, unless it is null.
    ReduceView(void* buffer, const data::Box& buffer_bounds, const data::BoxSet& subset,
               [[maybe_unused]] data::WrittenElements* written = nullptr) noexcept
        : partial_(buffer, buffer_bounds, subset) {
#ifdef REFRAIN_CHECK_BOUNDS
        written_ = written;
#endif
    }

    /// The same, but values go to `sparse` unless that is null.
    ReduceView(void* buffer, const data::Box& buffer_bounds, const data::BoxSet& subset,
               data::WrittenElements* written, data::SparsePartial* sparse) noexcept
        : ReduceView(buffer, buffer_bounds, subset, written) {
        sparse_ = sparse;
    }

    /// Folds `value` into the element at `p`.
    void reduce(const Point<R>& p, const std::type_identity_t<T>& value) const {
        check(p);
        // Before the branch: compilers then load the base address, and test sparse_, once per loop.
        T* const element = partial_.address(p);
        if (sparse_ != nullptr) [[unlikely]]
            return reduce_sparsely(*sparse_, p, value);
        Op::fold(*element, value);
    }
    /// Folds value(p), converted to an element, into the element at each point p of the subset. How the
    /// buffer is made is asked once, not per element: so loops get vectors from compilers that leave
    /// questions in them.
    ///
    ///     sums.reduce_each([&](const Point<1>& p) { return x[p] * y[p]; });
    template <std::invocable<const Point<R>&> Value>
    void reduce_each(const Value& value) const {
        if (sparse_ != nullptr) {
            for (const Point<R> p : points()) reduce(p, static_cast<T>(value(p)));
            return;
        }
        for (const Rect<R>& rect : rects())
            rect.for_each([&](const Point<R>& p) {
                check(p);
                Op::fold(*partial_.address(p), static_cast<T>(value(p)));
            });
    }

    [[nodiscard]] Rect<R> domain() const noexcept {
        return partial_.domain();
    }
    [[nodiscard]] bool is_rect() const noexcept {
        return partial_.is_rect();
    }
    [[nodiscard]] data::RectRange<R> rects() const noexcept {
        return partial_.rects();
    }
    [[nodiscard]] data::PointRange<R> points() const noexcept {
        return partial_.points();
    }
    [[nodiscard]] bool contains(const Point<R>& p) const noexcept {
        return partial_.contains(p);
    }

  private:
    /// Static, so that the view's address does not escape and its members stay in registers.
    [[gnu::cold, gnu::noinline]] static void reduce_sparsely(data::SparsePartial& sparse,
                                                             Point<R> p, T value) {
        Op::fold(*static_cast<T*>(sparse.element(data::coordinates_of(p))), value);
    }
    void check([[maybe_unused]] const Point<R>& p) const {
#ifdef REFRAIN_CHECK_BOUNDS
        if (!contains(p)) data::refuse_point(data::coordinates_of(p), partial_.subset(), R);
        if (written_ != nullptr) written_->require(data::coordinates_of(p));
#endif
    }

    View<T, R> partial_;
    data::SparsePartial* sparse_ = nullptr;
#ifdef REFRAIN_CHECK_BOUNDS
    data::WrittenElements* written_ = nullptr;
#endif
};

}  // namespace REFRAIN_VIEWS
}  // namespace refrain
