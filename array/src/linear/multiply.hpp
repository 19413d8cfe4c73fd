/// One product of matrices in memory.
///
// room: linear
#pragma once

#include "refrain/array/dtype.hpp"

#include <cstddef>
#include <cstdint>

namespace refrain::array::linalg {

/// A matrix; strides in elements, any.
struct MatrixView {
    std::byte* address = nullptr;
    std::int64_t rows = 0, columns = 0;
    std::int64_t row_stride = 0, column_stride = 0;
};

/// c = a * b, all of that type; c has rows one after the other.
void multiply(DType type, const MatrixView& a, const MatrixView& b, const MatrixView& c);
/// *result = the sum of a[i] * b[i].
void multiply_vectors(DType type, const std::byte* a, std::int64_t a_stride, const std::byte* b,
                      std::int64_t b_stride, std::int64_t count, bool conjugates,
                      std::byte* result);

}  // namespace refrain::array::linalg
