#pragma once

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <type_traits>

namespace refrain::base {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Becomes a field of any type; an optional is made of what it holds.
struct AnyField {
    template <class T>
    requires(!is_optional<T>)  // NOLINTNEXTLINE(google-explicit-constructor)
    operator T() const {
        std::abort();  // only its type is used
    }
};
/// How many fields a struct without constructors has.
template <class T, class... Fields>
[[nodiscard]] consteval std::size_t field_count() {
    if constexpr (requires { T{Fields{}..., AnyField{}}; })
        return field_count<T, Fields..., AnyField>();
    else
        return sizeof...(Fields);
}

/// Calls visit(first, second, ...) with all fields of a struct without constructors, in order: none can be forgotten.
template <class T, class Visit>
void with_fields(T& is, Visit visit) {
    constexpr std::size_t count = field_count<std::remove_const_t<T>>();
    static_assert(std::is_aggregate_v<T> && count <= 15, "write a line more for larger structs");
    // clang-format off
    if constexpr (count == 1) { auto& [a] = is; visit(a); }
    if constexpr (count == 2) { auto& [a, b] = is; visit(a, b); }
    if constexpr (count == 3) { auto& [a, b, c] = is; visit(a, b, c); }
    if constexpr (count == 4) { auto& [a, b, c, d] = is; visit(a, b, c, d); }
    if constexpr (count == 5) { auto& [a, b, c, d, e] = is; visit(a, b, c, d, e); }
    if constexpr (count == 6) { auto& [a, b, c, d, e, f] = is; visit(a, b, c, d, e, f); }
    if constexpr (count == 7) { auto& [a, b, c, d, e, f, g] = is; visit(a, b, c, d, e, f, g); }
    if constexpr (count == 8) { auto& [a, b, c, d, e, f, g, h] = is; visit(a, b, c, d, e, f, g, h); }
    if constexpr (count == 9) { auto& [a, b, c, d, e, f, g, h, i] = is; visit(a, b, c, d, e, f, g, h, i); }
    if constexpr (count == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = is; visit(a, b, c, d, e, f, g, h, i, j); }
    if constexpr (count == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = is; visit(a, b, c, d, e, f, g, h, i, j, k); }
    if constexpr (count == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = is; visit(a, b, c, d, e, f, g, h, i, j, k, l); }
    if constexpr (count == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = is; visit(a, b, c, d, e, f, g, h, i, j, k, l, m); }
    if constexpr (count == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = is; visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n); }
    if constexpr (count == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = is; visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o); }
    // clang-format on
}

}  // namespace refrain::base
