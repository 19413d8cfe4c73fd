/// Fourier transforms along the last axis.
///
///     Array y = fft::transform(fft::Kind::complex, x, true, 1.0);
///
/// Of any length: butterflies, and convolutions where a prime factor is large.
///
/// Threads: the launching thread.
///
// room: transforms
#pragma once

#include "refrain/array/array.hpp"

namespace refrain::array::fft {

enum class Kind : std::uint8_t {
    complex,       // complex128 of n elements to the same
    real,          // float64 of n elements to complex128 of n/2 + 1
    real_inverse,  // complex128 of n elements, of which the first n/2 + 1 count, to float64 of n
};

/// The transform of each row, times `factor`.
/// Errors: ArrayError for another type, rank 0, or rows without elements.
[[nodiscard]] Array transform(Kind kind, const Array& array, bool forward, double factor);

}  // namespace refrain::array::fft
