/// How the values of several tasks are folded into one element, as the runtime wants to know it.
///
///     fold_of(Ufunc::add, DType::float64)      &data::reduction_functions<Sum, double>()
///
/// Threads: any.
#pragma once

#include "refrain/array/dtype.hpp"
#include "refrain/array/ufunc.hpp"
#include "refrain/reduction.hpp"

namespace refrain::array {

/// Of add, multiply, minimum and maximum, as NumPy's; null for others, and for extremes of complex numbers.
[[nodiscard]] const data::ReductionFunctions* fold_of(Ufunc function, DType type) noexcept;

}  // namespace refrain::array
