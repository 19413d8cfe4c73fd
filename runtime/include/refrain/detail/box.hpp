/// A rank-erased rectangle, so that everything below the typed interface is compiled once.
///
///     box_of(Rect<2>{{0, 0}, {4, 8}})     -> lo {0,0,0}, hi {4,8,1}
///     linear_index(box, {1, 2, 0})        -> 10
///
/// Invariants: a Rect<R> uses dimensions 0..R-1, the others are [0,1), so volumes, row-major order
///     and set operations do not depend on R. An empty box that comes from a rectangle or an
///     intersection is Box{}; any two empty boxes are equal.
#pragma once

#include "refrain/rect.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace refrain::data {

using Coordinates = std::array<std::int64_t, rank_max>;

/// As ==, without branches: faster if most are equal.
[[nodiscard]] constexpr bool same(const Coordinates& a, const Coordinates& b) noexcept {
    return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2])) == 0;
}

struct Box {
    Coordinates lo{};
    Coordinates hi{};

    [[nodiscard]] constexpr bool empty() const noexcept {
        return hi[0] <= lo[0] || hi[1] <= lo[1] || hi[2] <= lo[2];
    }
    [[nodiscard]] constexpr std::int64_t extent(int d) const noexcept {
        const auto i = static_cast<std::size_t>(d);
        return std::max<std::int64_t>(hi[i] - lo[i], 0);
    }
    /// Not checked for overflow; boxes from a program pass checked_volume first.
    [[nodiscard]] constexpr std::int64_t volume() const noexcept {
        return extent(0) * extent(1) * extent(2);
    }
    [[nodiscard]] constexpr bool contains(const Coordinates& p) const noexcept {
        return lo[0] <= p[0] && p[0] < hi[0] && lo[1] <= p[1] && p[1] < hi[1] && lo[2] <= p[2] &&
               p[2] < hi[2];
    }
    [[nodiscard]] constexpr bool contains(const Box& b) const noexcept {
        return b.empty() || (lo[0] <= b.lo[0] && b.hi[0] <= hi[0] && lo[1] <= b.lo[1] &&
                             b.hi[1] <= hi[1] && lo[2] <= b.lo[2] && b.hi[2] <= hi[2]);
    }
    [[nodiscard]] constexpr Box intersection(const Box& b) const noexcept {
        Box r;
        for (std::size_t d = 0; d < std::size_t{rank_max}; ++d) {
            r.lo[d] = std::max(lo[d], b.lo[d]);
            r.hi[d] = std::min(hi[d], b.hi[d]);
        }
        return r.empty() ? Box{} : r;
    }
    [[nodiscard]] constexpr bool overlaps(const Box& b) const noexcept {
        return !intersection(b).empty();
    }
    /// In coordinates in which `origin` is 0.
    [[nodiscard]] constexpr Box relative_to(const Coordinates& origin) const noexcept {
        Box r = *this;
        for (std::size_t d = 0; d < std::size_t{rank_max}; ++d) {
            r.lo[d] -= origin[d];
            r.hi[d] -= origin[d];
        }
        return r;
    }

    friend constexpr bool operator==(const Box& a, const Box& b) noexcept {
        return a.empty() ? b.empty() : a.lo == b.lo && a.hi == b.hi;
    }
};

/// Whether the corners are equal; unlike ==, distinguishes empty boxes.
[[nodiscard]] constexpr bool same(const Box& a, const Box& b) noexcept {
    return same(a.lo, b.lo) && same(a.hi, b.hi);
}

template <int R>
[[nodiscard]] constexpr Coordinates coordinates_of(const Point<R>& p) noexcept {
    Coordinates c{};
    for (int d = 0; d < R; ++d) c[static_cast<std::size_t>(d)] = p[d];
    return c;
}

template <int R>
[[nodiscard]] constexpr Point<R> point_of(const Coordinates& c) noexcept {
    Point<R> p;
    for (int d = 0; d < R; ++d) p[d] = c[static_cast<std::size_t>(d)];
    return p;
}

template <int R>
[[nodiscard]] constexpr Box box_of(const Rect<R>& r) noexcept {
    // Written number by number, and not copied: a core waits for all earlier stores when it copies several
    // numbers at once that it has just stored one by one.
    Box b;
    if (r.empty()) return b;
    for (std::size_t d = 0; d < std::size_t{rank_max}; ++d) {
        const bool is_used = d < std::size_t{R};
        b.lo[d] = is_used ? r.lo[static_cast<int>(d)] : 0;
        b.hi[d] = is_used ? r.hi[static_cast<int>(d)] : 1;
    }
    return b;
}

/// Inlined always: tasks ask for the bounds of their views at every point.
template <int R>
[[nodiscard, gnu::always_inline]] constexpr inline Rect<R> rect_of(const Box& b) noexcept {
    return {point_of<R>(b.lo), point_of<R>(b.hi)};
}

/// The row-major position of p among the points of `bounds`.
[[nodiscard]] constexpr std::int64_t linear_index(const Box& bounds,
                                                  const Coordinates& p) noexcept {
    return ((p[0] - bounds.lo[0]) * bounds.extent(1) + (p[1] - bounds.lo[1])) * bounds.extent(2) +
           (p[2] - bounds.lo[2]);
}

/// The inverse of linear_index.
[[nodiscard]] constexpr Coordinates point_at(const Box& bounds, std::int64_t index) noexcept {
    const std::int64_t row = index / bounds.extent(2);
    return {bounds.lo[0] + row / bounds.extent(1), bounds.lo[1] + row % bounds.extent(1),
            bounds.lo[2] + index % bounds.extent(2)};
}

/// Whether the box has fewer than 2^63 points; then sets `volume` to their number. Boxes from the
/// program may have extents, too, that 63 bits do not hold.
[[nodiscard]] constexpr bool volume_fits(const Box& box, std::int64_t& volume) noexcept {
    volume = 0;
    if (box.empty()) return true;
    std::int64_t product = 1;
    for (std::size_t d = 0; d < std::size_t{rank_max}; ++d) {
        std::int64_t extent = 0;
        if (__builtin_sub_overflow(box.hi[d], box.lo[d], &extent) ||
            __builtin_mul_overflow(product, extent, &product))
            return false;
    }
    volume = product;
    return true;
}

/// The number of points of a box that comes from the program.
///
/// Errors: UsageError naming `operation`, `argument` and the box if it has more than 2^63-1 points.
std::int64_t checked_volume(const Box& box, int rank, std::string_view operation,
                            std::string_view argument);

/// Errors: UsageError naming `operation`, `argument` and the point if it has a coordinate that no
///     half-open rectangle can contain: 2^63-1.
void checked_point(const std::int64_t* coordinates, int rank, std::string_view operation,
                   std::string_view argument);

/// Prints the box as a rectangle of the given rank.
[[nodiscard]] std::string to_string(const Box& box, int rank);

}  // namespace refrain::data
