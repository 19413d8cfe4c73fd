/// The order that NumPy sorts by: NaN last, complex numbers by real part first.
///
// room: kernels
#pragma once

#include "refrain/array/dtype.hpp"
#include "refrain/array/with_type.hpp"

#include <complex>
#include <cstdint>
#include <type_traits>

namespace refrain::array::kernels {

template <class T>
[[nodiscard]] constexpr bool comes_before(T a, T b) noexcept {
    if constexpr (std::is_floating_point_v<T>)
        return a < b || (b != b && a == a);
    else
        return a < b;
}
template <class T>
[[nodiscard]] constexpr bool comes_before(const std::complex<T>& a,
                                          const std::complex<T>& b) noexcept {
    const bool a_is_nan = a.imag() != a.imag();
    const bool b_is_nan = b.imag() != b.imag();
    if (a.real() < b.real()) return !a_is_nan || b_is_nan;
    if (a.real() > b.real()) return b_is_nan && !a_is_nan;
    if (a.real() == b.real() || (a.real() != a.real() && b.real() != b.real()))
        return comes_before(a.imag(), b.imag());
    return b.real() != b.real();
}

/// Calls body with a value of the type that elements are compared as.
template <class Body>
void with_ordered(DType type, const Body& body) {
    with_type(type == DType::boolean ? DType::uint8 : type, [&]<class T>(T value) {
        if constexpr (!std::is_same_v<T, bool>) body(value);
    });
}

}  // namespace refrain::array::kernels
