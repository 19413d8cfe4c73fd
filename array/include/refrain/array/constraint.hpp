/// How the parts of arrays that the tasks of one work have must relate.
///
///     // y[i] += a[i-1] + a[i+1]; table is read whole
///     const WorkUse uses[] = {{&y, Privilege::read_write}, {&a}, {&table}};
///     const Constraint constraints[] = {bloat(0, 1, {1}, {1}), broadcast(2, 1)};
///     Work work;
///     work.name = "smooth";
///     work.function = &smooth;         // WorkView::begin says where a part begins
///     work.uses = uses;
///     work.constraints = constraints;
///     machine.issue(work);
///
/// Arguments are numbers of uses. Which parts there are is found as late as the launch: parts through which an
/// argument was last written are taken again, if they satisfy the constraints.
///
// room: stores
#pragma once

#include "refrain/array/layout.hpp"

#include <cstdint>
#include <utility>

namespace refrain::array {

/// Of broadcast(): whatever the rank.
inline constexpr std::uint32_t all_dims = ~std::uint32_t{0};

struct Constraint {
    enum class Kind : std::uint8_t { align, broadcast, scale, bloat, image };
    Kind kind = Kind::align;
    int from = 0;
    int to = 0;
    Extents low{};  // or factors
    Extents high{};
    std::uint32_t dims = 0;  // a bit per dimension; or all_dims
    int line = 0;            // for messages
};

/// Equal shapes, equal parts.
[[nodiscard]] inline Constraint align(int a, int b, int line = __builtin_LINE()) {
    return {.kind = Constraint::Kind::align, .from = a, .to = b, .line = line};
}
/// Those dimensions, a bit each, are not cut; all of them: every tile has the whole array. A dimension that the
/// array does not have is an error.
[[nodiscard]] inline Constraint broadcast(int a, std::uint32_t dims = all_dims,
                                          int line = __builtin_LINE()) {
    return {.kind = Constraint::Kind::broadcast, .from = a, .dims = dims, .line = line};
}
/// Element i of a belongs to elements [i * f, (i + 1) * f) of b.
[[nodiscard]] inline Constraint scale(int a, int b, Extents factors, int line = __builtin_LINE()) {
    return {.kind = Constraint::Kind::scale,
            .from = a,
            .to = b,
            .low = std::move(factors),
            .line = line};
}
/// Element i of a belongs to elements i - low ... i + high of b.
[[nodiscard]] inline Constraint bloat(int a, int b, Extents low, Extents high,
                                      int line = __builtin_LINE()) {
    return {.kind = Constraint::Kind::bloat,
            .from = a,
            .to = b,
            .low = std::move(low),
            .high = std::move(high),
            .line = line};
}
/// The elements of a, of int64, are indices of the first dimension of b: a part has the range of b's that its
/// pointers reach. Finding out waits for them, once per version.
[[nodiscard]] inline Constraint image(int pointers, int target, int line = __builtin_LINE()) {
    return {.kind = Constraint::Kind::image, .from = pointers, .to = target, .line = line};
}

}  // namespace refrain::array
