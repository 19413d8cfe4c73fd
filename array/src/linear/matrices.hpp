/// Matrices of a stack, to and from columns in memory.
///
// room: linear
#pragma once

#include "refrain/array/work.hpp"

#include <algorithm>
#include <complex>
#include <vector>

namespace refrain::array::linalg {

/// A matrix in memory, column by column.
template <class T>
struct Columns {
    int rows = 0, columns = 0;
    std::vector<T> elements;

    Columns(int r, int c)
        : rows(r),
          columns(c),
          elements(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
    [[nodiscard]] T& at(int i, int j) noexcept {
        return elements[static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) +
                        static_cast<std::size_t>(i)];
    }
    [[nodiscard]] T* data() noexcept { return elements.data(); }
    /// What LAPACK takes for the distance of columns.
    [[nodiscard]] int leading() const noexcept { return std::max(rows, 1); }
};

/// The part of a view that belongs to one matrix of the stack: a matrix, a vector or a number.
template <class T>
struct Part {
    T* first = nullptr;
    int rows = 1, columns = 1;
    Extent row_stride = 0, column_stride = 0;

    [[nodiscard]] T& at(int i, int j = 0) const noexcept {
        return first[i * row_stride + j * column_stride];
    }
    [[nodiscard]] Columns<T> load() const {
        Columns<T> made(rows, columns);
        for (int j = 0; j < columns; ++j)
            for (int i = 0; i < rows; ++i) made.at(i, j) = at(i, j);
        return made;
    }
    void store(Columns<T>& from) const {
        for (int j = 0; j < columns; ++j)
            for (int i = 0; i < rows; ++i) at(i, j) = from.at(i, j);
    }
};

/// Walks a stack: the views of a frame without their last `core[i]` axes have the same shape.
class Stack {
  public:
    Stack(const WorkFrame& frame, std::span<const int> core) : frame_(frame), core_(core) {
        axes_ = frame.views[0].layout.rank() - core[0];
        for (int d = 0; d < axes_; ++d) count_ *= frame.views[0].layout.shape[d];
    }
    [[nodiscard]] Extent count() const noexcept { return count_; }

    /// View number `view` of the matrix number `position`, in row-major order.
    template <class T>
    [[nodiscard]] Part<T> part(std::size_t view, Extent position) const noexcept {
        const Layout& layout = frame_.views[view].layout;
        Extent offset = 0;
        for (int d = axes_; d-- > 0;) {
            offset += position % layout.shape[d] * layout.strides[d];
            position /= layout.shape[d];
        }
        Part<T> made;
        made.first = frame_.views[view].template first<T>() + offset;
        if (core_[view] > 0) {
            made.rows = static_cast<int>(layout.shape[axes_]);
            made.row_stride = layout.strides[axes_];
        }
        if (core_[view] > 1) {
            made.columns = static_cast<int>(layout.shape[axes_ + 1]);
            made.column_stride = layout.strides[axes_ + 1];
        }
        return made;
    }

  private:
    const WorkFrame& frame_;
    std::span<const int> core_;
    int axes_ = 0;
    Extent count_ = 1;
};

/// What a routine does with the matrix number `position`. Errors: ArrayError of kind linear_algebra.
using Step = void (*)(const Stack& stack, Extent position);

// Factorizations; T is double or complex<double>.
template <class T>
void determinant(const Stack& stack, Extent position);
template <class T>
void sign_and_logarithm(const Stack& stack, Extent position);
template <class T>
void invert(const Stack& stack, Extent position);
template <class T>
void solve(const Stack& stack, Extent position);
template <class T>
void cholesky(const Stack& stack, Extent position);
template <class T>
void qr_factor(const Stack& stack, Extent position);
template <class T>
void qr_assemble(const Stack& stack, Extent position);
template <class T>
void least_squares(const Stack& stack, Extent position);
// Eigenvalues and singular values.
template <class T>
void eigenvalues(const Stack& stack, Extent position);
template <class T>
void eigenvectors(const Stack& stack, Extent position);
/// Of Hermitian matrices of which one triangle is read.
template <class T, char triangle>
void hermitian_eigenvalues(const Stack& stack, Extent position);
template <class T, char triangle>
void hermitian_eigenvectors(const Stack& stack, Extent position);
template <class T>
void singular_values(const Stack& stack, Extent position);
template <class T, char wanted>
void singular_vectors(const Stack& stack, Extent position);

}  // namespace refrain::array::linalg
