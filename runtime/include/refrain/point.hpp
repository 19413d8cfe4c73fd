/// A point of an R-dimensional integer grid, such as the position of an element or a colour.
///
///     Point<2> p{3, 4};
///     p + Point<2>{1, 0}          -> (4,4)
///     Point<1> i = 7;             // from an integer
///
/// Invariants: trivially copyable, so regions can hold points (see `image`). Points are ordered
///     lexicographically: the row-major order of a rectangle's points.
/// Errors: arithmetic is not checked for overflow.
/// Threads: a value.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>

namespace refrain {

inline constexpr int rank_max = 3;

namespace data {
/// "7" for one coordinate, "(3,4)" for more.
[[nodiscard]] std::string point_text(const std::int64_t* coordinates, int rank);
void print_point(std::ostream& out, const std::int64_t* coordinates, int rank);
}  // namespace data

template <int R>
struct Point {
    static_assert(R >= 1 && R <= rank_max, "points have one to three coordinates");
    static constexpr int rank = R;

    std::int64_t coordinate[R] = {};

    constexpr Point() noexcept = default;

    /// One integer per coordinate; implicit, so that `v[i]` and `{i, j}` are points.
    template <std::integral... I>
    requires(sizeof...(I) == R) constexpr Point(I... i) noexcept
        : coordinate{static_cast<std::int64_t>(i)...} {}

    /// The point whose coordinates are all `value`.
    [[nodiscard]] static constexpr Point all(std::int64_t value) noexcept {
        Point p;
        for (std::int64_t& c : p.coordinate) c = value;
        return p;
    }

    [[nodiscard]] constexpr std::int64_t& operator[](int d) noexcept { return coordinate[d]; }
    [[nodiscard]] constexpr std::int64_t operator[](int d) const noexcept { return coordinate[d]; }

    friend constexpr Point operator+(Point a, const Point& b) noexcept {
        for (int d = 0; d < R; ++d) a.coordinate[d] += b.coordinate[d];
        return a;
    }
    friend constexpr Point operator-(Point a, const Point& b) noexcept {
        for (int d = 0; d < R; ++d) a.coordinate[d] -= b.coordinate[d];
        return a;
    }
    friend constexpr bool operator==(const Point& a, const Point& b) noexcept {
        for (int d = 0; d < R; ++d)
            if (a.coordinate[d] != b.coordinate[d]) return false;
        return true;
    }
    friend constexpr std::strong_ordering operator<=>(const Point& a, const Point& b) noexcept {
        for (int d = 0; d < R; ++d)
            if (a.coordinate[d] != b.coordinate[d]) return a.coordinate[d] <=> b.coordinate[d];
        return std::strong_ordering::equal;
    }
    friend std::ostream& operator<<(std::ostream& out, const Point& p) {
        data::print_point(out, p.coordinate, R);
        return out;
    }
};

template <std::integral... I>
Point(I...) -> Point<static_cast<int>(sizeof...(I))>;

static_assert(std::is_trivially_copyable_v<Point<3>> && std::is_standard_layout_v<Point<3>>,
              "regions hold points as elements, and `image` reads them as plain integers");
static_assert(sizeof(Point<2>) == 2 * sizeof(std::int64_t));

template <int R>
[[nodiscard]] std::string to_string(const Point<R>& p) {
    return data::point_text(p.coordinate, R);
}

}  // namespace refrain
