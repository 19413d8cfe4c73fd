/// Complex arithmetic as NumPy computes it, not as C++ does (which mends infinities).
///
// room: kernels
#pragma once

#include <cmath>
#include <complex>

#include "kernels/loops.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

template <class R>
std::complex<R> product(std::complex<R> a, std::complex<R> b) noexcept {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Smith's division.
template <class R>
std::complex<R> quotient(std::complex<R> a, std::complex<R> b) noexcept {
    const R real = std::abs(b.real());
    const R imag = std::abs(b.imag());
    if (real >= imag) {
        if (real == 0 && imag == 0) return {a.real() / real, a.imag() / real};
        const R ratio = b.imag() / b.real();
        const R scale = R{1} / (b.real() + b.imag() * ratio);
        return {(a.real() + a.imag() * ratio) * scale, (a.imag() - a.real() * ratio) * scale};
    }
    const R ratio = b.real() / b.imag();
    const R scale = R{1} / (b.imag() + b.real() * ratio);
    return {(a.real() * ratio + a.imag()) * scale, (a.imag() * ratio - a.real()) * scale};
}

template <class R>
bool has_nan(std::complex<R> a) noexcept {
    return std::isnan(a.real()) || std::isnan(a.imag());
}
// Lexicographic.
template <class R>
bool is_less(std::complex<R> a, std::complex<R> b) noexcept {
    return (a.real() < b.real() && !std::isnan(a.imag()) && !std::isnan(b.imag())) ||
           (a.real() == b.real() && a.imag() < b.imag());
}
template <class R>
bool is_less_or_equal(std::complex<R> a, std::complex<R> b) noexcept {
    return (a.real() < b.real() && !std::isnan(a.imag()) && !std::isnan(b.imag())) ||
           (a.real() == b.real() && a.imag() <= b.imag());
}

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels
