#pragma once

#include <cstddef>
#include <vector>

namespace refrain::proxy {

/// A matrix by columns.
struct Matrix {
    std::size_t rows = 0;
    std::vector<double> values;

    [[nodiscard]] std::size_t columns() const { return rows == 0 ? 0 : values.size() / rows; }
    [[nodiscard]] double at(std::size_t row, std::size_t column) const {
        return values[column * rows + row];
    }
};

/// The x >= 0 for which |A x - b| is least.
///
/// nnls({{1, 0}, {0, 1}}, {2, -1}) -> {2, 0}
///
/// Shapes:      A (m,n), b (m) -> x (n); at most m of x are not 0
/// Complexity:  a least squares problem for each column that enters or leaves
/// Source:      Lawson and Hanson, Solving Least Squares Problems, chapter 23
[[nodiscard]] std::vector<double> nnls(const Matrix& a, const std::vector<double>& b);

/// How many of the columns are independent, up to rounding.
[[nodiscard]] std::size_t rank_of(const Matrix& a);

}  // namespace refrain::proxy
