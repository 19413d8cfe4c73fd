/// Functions of floating-point numbers that give or take more than ufuncs of this library do.
///
/// Errors:  ArrayError of kind type for other types, of kind value for shapes that do not fit.
/// Threads: the launching thread.
///
// room: arrays
#pragma once

#include "refrain/array/array.hpp"

#include <utility>

namespace refrain::array {

/// numpy.frexp of float32 or float64: mantissas of that type, exponents of int32.
[[nodiscard]] std::pair<Array, Array> frexp(const Array& array);
/// numpy.ldexp: numbers of float32 or float64 times two to the power of int32 or int64.
[[nodiscard]] Array ldexp(const Array& numbers, const Array& exponents);
/// numpy.spacing of float32 or float64: the distance to the next number away from zero.
[[nodiscard]] Array spacing(const Array& array);
/// numpy.modf of float32 or float64: fractions and whole parts, both with the sign of the number.
[[nodiscard]] std::pair<Array, Array> modf(const Array& array);

}  // namespace refrain::array
