/// Fourier transforms along the last axis.
///
///     if (fft::suits(n)) Array y = fft::transform(fft::Kind::complex, x, true, 1.0);
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

/// Whether a transform of that length is computed here: lengths without a prime factor above 5.
[[nodiscard]] bool suits(Extent length) noexcept;

/// The transform of each row, times `factor`. Errors: ArrayError for another type, rank 0, or a length that
/// does not suit.
[[nodiscard]] Array transform(Kind kind, const Array& array, bool forward, double factor);

}  // namespace refrain::array::fft
