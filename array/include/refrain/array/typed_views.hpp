/// What a callable that is a task sees of its arrays: views whose type says elements, rank and privilege.
///
///     Read<double> x             rank 1, x(i) is read
///     Write<float, 2> u          rank 2, every u(i, j) is written
///     ReadWrite<std::int32_t>    both
///     Reduce<double> total       total.fold(v, i) adds v; Reduce<double, 1, Ufunc::maximum> takes the greater one
///
/// A view is the part of an array that a tile has. Indices are those of the whole array, from begin() to end(): of an array
/// of 10 elements, cut in two, the second tile sees begin() 5 and end() 10.
///
/// Errors:  an index outside of the part is undefined; builds without NDEBUG assert.
/// Threads: the worker that runs the task.
#pragma once

#include "refrain/array/work.hpp"
#include "refrain/reduction.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <type_traits>

namespace refrain::array {

/// Indices from one to before another, for loops (clang 14 has no std::views::iota).
class IndexRange {
  public:
    class Iterator {
      public:
        explicit Iterator(Extent at) noexcept : at_(at) {}
        [[nodiscard]] Extent operator*() const noexcept { return at_; }
        Iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;

      private:
        Extent at_;
    };
    IndexRange(Extent first, Extent last) noexcept : first_(first), last_(last) {}
    [[nodiscard]] Iterator begin() const noexcept { return Iterator(first_); }
    [[nodiscard]] Iterator end() const noexcept { return Iterator(last_); }

  private:
    Extent first_;
    Extent last_;
};

/// What views have in common.
template <class T, int rank_>
class PartView {
    static_assert(rank_ >= 0 && rank_ <= rank_max, "arrays have ranks from 0 to 32");

  public:
    using Element = T;
    static constexpr int rank = rank_;
    static constexpr DType dtype = dtype_of<T>();

    explicit PartView(const WorkView& view) noexcept : first_(view.first<T>()) {
        for (int d = 0; d < rank; ++d) {
            const auto at = static_cast<std::size_t>(d);
            begin_[at] = view.begin[d];
            extent_[at] = view.layout.shape[d];
            stride_[at] = view.layout.strides[d];
        }
    }

    [[nodiscard]] Extent begin(int axis = 0) const noexcept { return begin_[number(axis)]; }
    [[nodiscard]] Extent end(int axis = 0) const noexcept { return begin(axis) + extent(axis); }
    [[nodiscard]] Extent extent(int axis = 0) const noexcept { return extent_[number(axis)]; }
    /// From one index of the axis to the next, in elements.
    [[nodiscard]] Extent stride(int axis = 0) const noexcept { return stride_[number(axis)]; }
    /// From begin() to end().
    [[nodiscard]] IndexRange indices(int axis = 0) const noexcept {
        return {begin(axis), end(axis)};
    }

  protected:
    [[nodiscard]] T* first() const noexcept { return first_; }
    template <class... Index>
    [[nodiscard]] T* address(Index... index) const noexcept {
        static_assert(sizeof...(Index) == rank_, "an element has an index per dimension");
        static_assert((std::is_convertible_v<Index, Extent> && ...), "indices are integers");
        const std::array<Extent, sizeof...(Index)> at{static_cast<Extent>(index)...};
        Extent offset = 0;
        for (std::size_t d = 0; d < at.size(); ++d) {
            assert(at[d] >= begin_[d] && at[d] < begin_[d] + extent_[d]);
            offset += (at[d] - begin_[d]) * stride_[d];
        }
        return first_ + offset;
    }

  private:
    static std::size_t number(int axis) noexcept {
        assert(axis >= 0 && axis < rank);
        return static_cast<std::size_t>(axis);
    }

    T* first_;
    std::array<Extent, static_cast<std::size_t>(rank_)> begin_{};
    std::array<Extent, static_cast<std::size_t>(rank_)> extent_{};
    std::array<Extent, static_cast<std::size_t>(rank_)> stride_{};
};

template <class T, int rank = 1>
class Read : public PartView<T, rank> {
  public:
    using PartView<T, rank>::PartView;
    static constexpr Privilege privilege = Privilege::read;
    template <class... Index>
    [[nodiscard]] const T& operator()(Index... index) const noexcept {
        return *this->address(index...);
    }
    /// The element at begin(); the others lie stride() apart.
    [[nodiscard]] const T* data() const noexcept { return this->first(); }
};

template <class T, int rank, Privilege privilege_>
class WritableView : public PartView<T, rank> {
  public:
    using PartView<T, rank>::PartView;
    static constexpr Privilege privilege = privilege_;
    template <class... Index>
    [[nodiscard]] T& operator()(Index... index) const noexcept {
        return *this->address(index...);
    }
    /// The element at begin(); the others lie stride() apart.
    [[nodiscard]] T* data() const noexcept { return this->first(); }
};
/// Every element is written; what they hold before is not said.
template <class T, int rank = 1>
using Write = WritableView<T, rank, Privilege::write>;
template <class T, int rank = 1>
using ReadWrite = WritableView<T, rank, Privilege::read_write>;

namespace detail {
template <Ufunc fold>
struct FoldOperator {
    static_assert(fold == Ufunc::add, "a fold is add, multiply, minimum or maximum");
    using Type = Sum;
};
template <>
struct FoldOperator<Ufunc::multiply> {
    using Type = Product;
};
template <>
struct FoldOperator<Ufunc::minimum> {
    using Type = PropagatingMinimum;
};
template <>
struct FoldOperator<Ufunc::maximum> {
    using Type = PropagatingMaximum;
};
}  // namespace detail

/// Several tiles may fold into the same elements; none sees what the others, or the array, have there.
template <class T, int rank = 1, Ufunc fold_ = Ufunc::add>
class Reduce : public PartView<T, rank> {
    using Operator = typename detail::FoldOperator<fold_>::Type;
    static_assert(ReductionOperator<Operator, T>, "complex numbers have no minimum and maximum");

  public:
    using PartView<T, rank>::PartView;
    static constexpr Privilege privilege = Privilege::reduce;
    static constexpr Ufunc ufunc = fold_;
    template <class... Index>
    void fold(const T& value, Index... index) const noexcept {
        Operator::fold(*this->address(index...), value);
    }
};

}  // namespace refrain::array
