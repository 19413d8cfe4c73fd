/// A half-open rectangle of points.
///
///     Rect<2> r{{0, 0}, {2, 3}};          // rows 0 and 1, columns 0, 1 and 2; prints [0,2)x[0,3)
///     r.volume()                          -> 6
///     for (Point<2> p : r) ...            // (0,0) (0,1) (0,2) (1,0) (1,1) (1,2)
///     r.for_each([&](Point<2> p) { ... }) // the same points, as fast as nested loops
///     extents(2, 3) == r                  -> true
///
/// Invariants: a rectangle is empty if hi <= lo in some dimension; all empty rectangles are equal.
///     Iteration is in row-major order: the last coordinate changes fastest.
/// Errors: none are checked here; what takes a rectangle from a program checks its volume.
/// Complexity: O(1), but for iteration.
/// Threads: a value.
#pragma once

#include "refrain/point.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace refrain {

namespace data {
/// "[0,120)", "[0,4)x[0,8)", and "empty" for an empty rectangle.
[[nodiscard]] std::string rect_text(const std::int64_t* lo, const std::int64_t* hi, int rank);
void print_rect(std::ostream& out, const std::int64_t* lo, const std::int64_t* hi, int rank);
}  // namespace data

template <int R>
struct Rect {
    static constexpr int rank = R;

    /// Visits the points of a rectangle in row-major order.
    class Iterator;

    Point<R> lo, hi;

    /// of_extents({4, 8}) -> [0,4)x[0,8)
    [[nodiscard]] static constexpr Rect of_extents(const Point<R>& extents) noexcept {
        return {Point<R>{}, extents};
    }

    [[nodiscard]] constexpr bool empty() const noexcept {
        for (int d = 0; d < R; ++d)
            if (hi[d] <= lo[d]) return true;
        return false;
    }
    /// The number of points along dimension d, at least 0.
    [[nodiscard]] constexpr std::int64_t extent(int d) const noexcept {
        return std::max<std::int64_t>(hi[d] - lo[d], 0);
    }
    [[nodiscard]] constexpr Point<R> extents() const noexcept {
        Point<R> e;
        for (int d = 0; d < R; ++d) e[d] = extent(d);
        return e;
    }
    /// The number of points. Not checked for overflow: data::checked_volume does that.
    [[nodiscard]] constexpr std::int64_t volume() const noexcept {
        std::int64_t v = 1;
        for (int d = 0; d < R; ++d) v *= extent(d);
        return v;
    }

    [[nodiscard]] constexpr bool contains(const Point<R>& p) const noexcept {
        for (int d = 0; d < R; ++d)
            if (p[d] < lo[d] || p[d] >= hi[d]) return false;
        return true;
    }
    /// Every rectangle contains the empty one.
    [[nodiscard]] constexpr bool contains(const Rect& other) const noexcept {
        return other.empty() || intersection(other) == other;
    }
    [[nodiscard]] constexpr bool overlaps(const Rect& other) const noexcept {
        return !intersection(other).empty();
    }
    [[nodiscard]] constexpr Rect intersection(const Rect& other) const noexcept {
        Rect r;
        for (int d = 0; d < R; ++d) {
            r.lo[d] = std::max(lo[d], other.lo[d]);
            r.hi[d] = std::min(hi[d], other.hi[d]);
        }
        return r;
    }
    [[nodiscard]] constexpr Rect shifted(const Point<R>& by) const noexcept {
        return {lo + by, hi + by};
    }
    /// The rectangle with `low` more points below and `high` more above; empty if this one is.
    [[nodiscard]] constexpr Rect grown(const Point<R>& low, const Point<R>& high) const noexcept {
        return empty() ? Rect{} : Rect{lo - low, hi + high};
    }
    [[nodiscard]] constexpr Rect grown(const Point<R>& by) const noexcept { return grown(by, by); }

    /// Calls f(Point<R>) for each point in row-major order: nested loops, which compilers unroll and
    /// vectorise where they would with loops written out.
    template <class F>
    [[gnu::always_inline]] constexpr void for_each(F&& f) const;

    [[nodiscard]] constexpr Iterator begin() const noexcept;
    [[nodiscard]] constexpr Iterator end() const noexcept;

    friend constexpr bool operator==(const Rect& a, const Rect& b) noexcept {
        return a.empty() ? b.empty() : a.lo == b.lo && a.hi == b.hi;
    }
    friend std::ostream& operator<<(std::ostream& out, const Rect& r) {
        data::print_rect(out, r.lo.coordinate, r.hi.coordinate, R);
        return out;
    }
};

template <int R>
Rect(Point<R>, Point<R>) -> Rect<R>;

/// extents(4, 8) -> Rect<2> [0,4)x[0,8)
template <std::integral... I>
requires(sizeof...(I) >= 1 && sizeof...(I) <= rank_max)
    [[nodiscard]] constexpr auto extents(I... extent) noexcept {
    constexpr int R = static_cast<int>(sizeof...(I));
    return Rect<R>::of_extents(Point<R>{extent...});
}

template <int R>
[[nodiscard]] std::string to_string(const Rect<R>& r) {
    return data::rect_text(r.lo.coordinate, r.hi.coordinate, R);
}

template <int R>
class Rect<R>::Iterator {
  public:
    using value_type = Point<R>;
    using reference = Point<R>;
    using pointer = const Point<R>*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;  // dereferencing gives a value
    using iterator_concept = std::forward_iterator_tag;

    constexpr Iterator() noexcept = default;
    /// The point `at` of the rectangle.
    constexpr Iterator(const Point<R>& at, const Rect& rect) noexcept : at_(at), rect_(rect) {}
    [[nodiscard]] static constexpr Iterator past_the_end(const Rect& rect) noexcept {
        Iterator end(rect.lo, rect);
        end.at_[0] = rect.hi[0];
        end.is_end_ = true;
        return end;
    }

    [[nodiscard]] constexpr Point<R> operator*() const noexcept { return at_; }
    [[gnu::always_inline]] constexpr Iterator& operator++() noexcept {
        if constexpr (R == 1) {  // nothing else, so that compilers vectorise
            ++at_[0];
            return *this;
        }
        is_end_ = false;
        for (int d = R - 1; d > 0; --d) {
            if (++at_[d] < rect_.hi[d]) [[likely]]
                return *this;
            at_[d] = rect_.lo[d];
        }
        if (++at_[0] >= rect_.hi[0]) [[unlikely]]
            is_end_ = true;
        return *this;
    }
    constexpr Iterator operator++(int) noexcept {
        Iterator before = *this;
        ++*this;
        return before;
    }
    [[gnu::always_inline]] friend constexpr bool operator==(const Iterator& a,
                                                            const Iterator& b) noexcept {
        if constexpr (compares_flag) {
            if (a.is_end_ || b.is_end_) return a.is_end_ == b.is_end_;
        }
        return a.at_ == b.at_;
    }

  private:
    // Which way compilers make nested loops of; g++ even vectorises them in two dimensions.
#ifdef __clang__
    static constexpr bool compares_flag = R > 1;
#else
    static constexpr bool compares_flag = R == 3;
#endif

    Point<R> at_;
    Rect rect_{};
    // A constant on each path through ++. So compilers see that a loop cannot end but behind the
    // last row, and make nested loops of it.
    bool is_end_ = false;
};

template <int R>
constexpr auto Rect<R>::begin() const noexcept -> Iterator {
    return empty() ? end() : Iterator(lo, *this);
}

template <int R>
constexpr auto Rect<R>::end() const noexcept -> Iterator {
    return Iterator::past_the_end(*this);
}

template <int R>
template <class F>
constexpr void Rect<R>::for_each(F&& f) const {
    // Copies, which f cannot reach: bounds stay in registers.
    const Point<R> begin = lo, end = hi;
    if constexpr (R == 1) {
        for (std::int64_t i = begin[0]; i < end[0]; ++i) f(Point<R>(i));
    } else if constexpr (R == 2) {
        for (std::int64_t i = begin[0]; i < end[0]; ++i)
            for (std::int64_t j = begin[1]; j < end[1]; ++j) f(Point<R>(i, j));
    } else {
        for (std::int64_t i = begin[0]; i < end[0]; ++i)
            for (std::int64_t j = begin[1]; j < end[1]; ++j)
                for (std::int64_t k = begin[2]; k < end[2]; ++k) f(Point<R>(i, j, k));
    }
}

}  // namespace refrain
