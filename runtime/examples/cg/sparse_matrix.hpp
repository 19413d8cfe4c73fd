/// Sparse matrices by rows, and the distribution of rows to pieces.
///
///     compress(3, {{0, 0, 4}, {2, 2, 5}, {0, 2, 1}})
///         row_begin {0, 2, 2, 3}, columns {0, 2, 2}, values {4, 1, 5}
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "common/number_text.hpp"

namespace cg {

using Values = std::vector<double>;

/// One element of a matrix; rows and columns are counted from zero.
struct Element {
    std::int64_t row = 0, column = 0;
    double value = 0;
};

/// A square matrix in compressed rows: the elements of row i are row_begin[i] to row_begin[i + 1],
/// by ascending column.
struct SparseMatrix {
    std::int64_t size = 0;
    std::vector<std::int64_t> row_begin, columns;
    Values values;

    [[nodiscard]] std::int64_t element_count() const {
        return static_cast<std::int64_t>(columns.size());
    }
    [[nodiscard]] std::int64_t begin(std::int64_t row) const {
        return row_begin[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] std::int64_t end(std::int64_t row) const {
        return row_begin[static_cast<std::size_t>(row) + 1];
    }
    /// The element at (row, column), zero where none is stored.
    [[nodiscard]] double at(std::int64_t row, std::int64_t column) const {
        const auto first = columns.begin() + begin(row);
        const auto last = columns.begin() + end(row);
        const auto found = std::lower_bound(first, last, column);
        if (found == last || *found != column) return 0;
        return values[static_cast<std::size_t>(found - columns.begin())];
    }
};

/// No two elements may have the same row and column.
[[nodiscard]] inline SparseMatrix compress(std::int64_t size, std::vector<Element> elements) {
    std::sort(elements.begin(), elements.end(), [](const Element& a, const Element& b) {
        return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    });
    SparseMatrix matrix;
    matrix.size = size;
    matrix.row_begin.assign(static_cast<std::size_t>(size) + 1, 0);
    for (const Element& element : elements) {
        ++matrix.row_begin[static_cast<std::size_t>(element.row) + 1];
        matrix.columns.push_back(element.column);
        matrix.values.push_back(element.value);
    }
    for (std::size_t i = 1; i < matrix.row_begin.size(); ++i)
        matrix.row_begin[i] += matrix.row_begin[i - 1];
    return matrix;
}

/// Returns why the method certainly cannot solve the matrix; empty if no such reason is known. The
/// elements can show that a matrix is not positive definite, but never that it is.
[[nodiscard]] inline std::string reason_against(const SparseMatrix& matrix) {
    const auto place = [](std::int64_t row, std::int64_t column) {
        return "(" + std::to_string(row + 1) + "," + std::to_string(column + 1) + ")";
    };
    for (std::int64_t row = 0; row < matrix.size; ++row) {
        if (!(matrix.at(row, row) > 0))
            return "the matrix is not positive definite: its element " + place(row, row) + " is " +
                   example::number_text(matrix.at(row, row));
        for (std::int64_t e = matrix.begin(row); e < matrix.end(row); ++e) {
            const std::int64_t column = matrix.columns[static_cast<std::size_t>(e)];
            const double value = matrix.values[static_cast<std::size_t>(e)];
            if (matrix.at(column, row) != value)
                return "the matrix is not symmetric: its element " + place(row, column) + " is " +
                       example::number_text(value) + ", and " + place(column, row) + " is " +
                       example::number_text(matrix.at(column, row));
        }
    }
    return {};
}

/// The matrix with each element divided by the square roots of the diagonal elements of its row and
/// column. Solving with it is equivalent to a diagonal preconditioner, in other units: D A D (x /
/// D) = D b with D_i = 1 / sqrt(A_ii). Symmetric to the bit if `matrix` is.
[[nodiscard]] inline SparseMatrix scaled(SparseMatrix matrix) {
    Values roots;
    for (std::int64_t row = 0; row < matrix.size; ++row)
        roots.push_back(std::sqrt(matrix.at(row, row)));
    for (std::int64_t row = 0; row < matrix.size; ++row)
        for (std::int64_t e = matrix.begin(row); e < matrix.end(row); ++e) {
            const auto at = static_cast<std::size_t>(e);
            const auto column = static_cast<std::size_t>(matrix.columns[at]);
            matrix.values[at] /= roots[static_cast<std::size_t>(row)] * roots[column];
        }
    return matrix;
}

/// A half-open range of rows.
struct Rows {
    std::int64_t begin = 0, end = 0;
};

/// Distributes the rows to `count` pieces, at most the number of rows. Each piece gets at least one
/// row, and all get about as many elements.
[[nodiscard]] inline std::vector<Rows> pieces_of(const SparseMatrix& matrix, std::int64_t count) {
    std::vector<Rows> pieces;
    std::int64_t begin = 0;
    for (std::int64_t piece = 0; piece < count; ++piece) {
        const std::int64_t wanted = matrix.element_count() * (piece + 1) / count;
        const auto found =
            std::lower_bound(matrix.row_begin.begin(), matrix.row_begin.end(), wanted);
        const std::int64_t left = count - piece - 1;
        std::int64_t end = std::max(begin + 1, found - matrix.row_begin.begin());
        end = left == 0 ? matrix.size : std::min(end, matrix.size - left);
        pieces.push_back({begin, end});
        begin = end;
    }
    return pieces;
}

}  // namespace cg
