#include "linear/multiply.hpp"

#include <algorithm>
#include <cblas.h>
#include <complex>
#include <vector>

#include "linear/blas_threads.hpp"

namespace refrain::array::linalg {

namespace {

/// A matrix as BLAS takes it.
template <class T>
struct Blocked {
    const T* elements = nullptr;
    CBLAS_TRANSPOSE transposed = CblasNoTrans;
    int leading = 1;
    std::vector<T> copy;

    explicit Blocked(const MatrixView& from) {
        const T* at = reinterpret_cast<const T*>(from.address);
        const std::int64_t by_rows = from.rows == 1 ? from.columns : from.row_stride;
        const std::int64_t by_columns = from.columns == 1 ? from.rows : from.column_stride;
        const bool dense_rows = from.columns == 1 || from.column_stride == 1;
        const bool dense_columns = from.rows == 1 || from.row_stride == 1;
        elements = at;
        if (dense_rows && by_rows >= from.columns) {
            leading = static_cast<int>(std::max<std::int64_t>(by_rows, 1));
        } else if (dense_columns && by_columns >= from.rows) {
            transposed = CblasTrans;
            leading = static_cast<int>(std::max<std::int64_t>(by_columns, 1));
        } else {
            copy.reserve(static_cast<std::size_t>(from.rows * from.columns));
            for (std::int64_t i = 0; i < from.rows; ++i)
                for (std::int64_t j = 0; j < from.columns; ++j)
                    copy.push_back(at[i * from.row_stride + j * from.column_stride]);
            elements = copy.data();
            leading = static_cast<int>(std::max<std::int64_t>(from.columns, 1));
        }
    }
};

void gemm(const Blocked<float>& a, const Blocked<float>& b, int m, int n, int k, float* c,
          int ldc) {
    const BlasCall call;
    cblas_sgemm(CblasRowMajor, a.transposed, b.transposed, m, n, k, 1.0F, a.elements, a.leading,
                b.elements, b.leading, 0.0F, c, ldc);
}
void gemm(const Blocked<double>& a, const Blocked<double>& b, int m, int n, int k, double* c,
          int ldc) {
    const BlasCall call;
    cblas_dgemm(CblasRowMajor, a.transposed, b.transposed, m, n, k, 1.0, a.elements, a.leading,
                b.elements, b.leading, 0.0, c, ldc);
}
void gemm(const Blocked<std::complex<float>>& a, const Blocked<std::complex<float>>& b, int m,
          int n, int k, std::complex<float>* c, int ldc) {
    const std::complex<float> one = 1.0F;
    const std::complex<float> none = 0.0F;
    const BlasCall call;
    cblas_cgemm(CblasRowMajor, a.transposed, b.transposed, m, n, k, &one, a.elements, a.leading,
                b.elements, b.leading, &none, c, ldc);
}
void gemm(const Blocked<std::complex<double>>& a, const Blocked<std::complex<double>>& b, int m,
          int n, int k, std::complex<double>* c, int ldc) {
    const std::complex<double> one = 1.0;
    const std::complex<double> none = 0.0;
    const BlasCall call;
    cblas_zgemm(CblasRowMajor, a.transposed, b.transposed, m, n, k, &one, a.elements, a.leading,
                b.elements, b.leading, &none, c, ldc);
}

/// y = a * x, of a matrix and a vector.
void gemv(const Blocked<float>& a, int m, int n, const float* x, int step, float* y, int y_step) {
    const bool turned = a.transposed == CblasTrans;
    const BlasCall call;
    cblas_sgemv(turned ? CblasColMajor : CblasRowMajor, CblasNoTrans, m, n, 1.0F, a.elements,
                a.leading, x, step, 0.0F, y, y_step);
}
void gemv(const Blocked<double>& a, int m, int n, const double* x, int step, double* y,
          int y_step) {
    const bool turned = a.transposed == CblasTrans;
    const BlasCall call;
    cblas_dgemv(turned ? CblasColMajor : CblasRowMajor, CblasNoTrans, m, n, 1.0, a.elements,
                a.leading, x, step, 0.0, y, y_step);
}

template <class T>
constexpr bool is_real = std::is_same_v<T, float> || std::is_same_v<T, double>;

/// By BLAS.
template <class T>
void multiply_floating(const MatrixView& a, const MatrixView& b, const MatrixView& c) {
    T* to = reinterpret_cast<T*>(c.address);
    const auto m = static_cast<int>(c.rows);
    const auto n = static_cast<int>(c.columns);
    const auto k = static_cast<int>(a.columns);
    if (k == 0) {
        for (std::int64_t i = 0; i < c.rows; ++i) std::fill_n(to + i * c.row_stride, n, T());
        return;
    }
    const Blocked<T> left(a);
    if constexpr (is_real<T>) {
        if (n == 1 && b.row_stride > 0) {
            gemv(left, m, k, reinterpret_cast<const T*>(b.address), static_cast<int>(b.row_stride),
                 to, static_cast<int>(std::max<std::int64_t>(c.row_stride, 1)));
            return;
        }
        if (m == 1 && a.column_stride > 0) {
            const Blocked<T> turned({b.address, b.columns, b.rows, b.column_stride, b.row_stride});
            gemv(turned, n, k, reinterpret_cast<const T*>(a.address),
                 static_cast<int>(a.column_stride), to, 1);
            return;
        }
    }
    const Blocked<T> right(b);
    gemm(left, right, m, n, k, to,
         static_cast<int>(std::max<std::int64_t>(c.row_stride, std::max(n, 1))));
}

/// Whole numbers that wrap: the same bits with and without a sign.
template <class T>
void multiply_whole(const MatrixView& a, const MatrixView& b, const MatrixView& c) {
    const T* left = reinterpret_cast<const T*>(a.address);
    const T* right = reinterpret_cast<const T*>(b.address);
    T* to = reinterpret_cast<T*>(c.address);
    for (std::int64_t i = 0; i < c.rows; ++i) {
        T* row = to + i * c.row_stride;
        std::fill_n(row, c.columns, T());
        for (std::int64_t k = 0; k < a.columns; ++k) {
            const auto factor =
                static_cast<std::uint64_t>(left[i * a.row_stride + k * a.column_stride]);
            const T* from = right + k * b.row_stride;
            for (std::int64_t j = 0; j < c.columns; ++j)
                row[j] = static_cast<T>(row[j] + factor * from[j * b.column_stride]);
        }
    }
}

/// `or` of `and`.
void multiply_booleans(const MatrixView& a, const MatrixView& b, const MatrixView& c) {
    for (std::int64_t i = 0; i < c.rows; ++i) {
        std::byte* row = c.address + i * c.row_stride;
        std::fill_n(row, c.columns, std::byte{0});
        for (std::int64_t k = 0; k < a.columns; ++k) {
            if (a.address[i * a.row_stride + k * a.column_stride] == std::byte{0}) continue;
            const std::byte* from = b.address + k * b.row_stride;
            for (std::int64_t j = 0; j < c.columns; ++j) {
                if (from[j * b.column_stride] != std::byte{0}) row[j] = std::byte{1};
            }
        }
    }
}

/// BLAS's, which counts strides from the lower end.
template <class T>
const T* lowest(const T* at, std::int64_t stride, std::int64_t count) {
    return stride < 0 && count > 0 ? at + stride * (count - 1) : at;
}

}  // namespace

void multiply(DType type, const MatrixView& a, const MatrixView& b, const MatrixView& c) {
    switch (type) {
        case DType::float32:
            return multiply_floating<float>(a, b, c);
        case DType::float64:
            return multiply_floating<double>(a, b, c);
        case DType::complex64:
            return multiply_floating<std::complex<float>>(a, b, c);
        case DType::complex128:
            return multiply_floating<std::complex<double>>(a, b, c);
        case DType::boolean:
            return multiply_booleans(a, b, c);
        default:
            break;
    }
    switch (bytes_of(type)) {
        case 1:
            return multiply_whole<std::uint8_t>(a, b, c);
        case 2:
            return multiply_whole<std::uint16_t>(a, b, c);
        case 4:
            return multiply_whole<std::uint32_t>(a, b, c);
        default:
            return multiply_whole<std::uint64_t>(a, b, c);
    }
}

void multiply_vectors(DType type, const std::byte* a, std::int64_t a_stride, const std::byte* b,
                      std::int64_t b_stride, std::int64_t count, bool conjugates,
                      std::byte* result) {
    const auto n = static_cast<int>(count);
    const auto step_a = static_cast<int>(a_stride);
    const auto step_b = static_cast<int>(b_stride);
    const bool by_blas = a_stride != 0 && b_stride != 0;
    if (by_blas && type == DType::float64) {
        use_one_blas_thread();
        *reinterpret_cast<double*>(result) =
            cblas_ddot(n, lowest(reinterpret_cast<const double*>(a), a_stride, count), step_a,
                       lowest(reinterpret_cast<const double*>(b), b_stride, count), step_b);
        return;
    }
    if (by_blas && type == DType::float32) {
        use_one_blas_thread();
        *reinterpret_cast<float*>(result) =
            cblas_sdot(n, lowest(reinterpret_cast<const float*>(a), a_stride, count), step_a,
                       lowest(reinterpret_cast<const float*>(b), b_stride, count), step_b);
        return;
    }
    if (by_blas && is_complex(type)) {
        use_one_blas_thread();
        if (type == DType::complex128) {
            const auto* x =
                lowest(reinterpret_cast<const std::complex<double>*>(a), a_stride, count);
            const auto* y =
                lowest(reinterpret_cast<const std::complex<double>*>(b), b_stride, count);
            if (conjugates)
                cblas_zdotc_sub(n, x, step_a, y, step_b, result);
            else
                cblas_zdotu_sub(n, x, step_a, y, step_b, result);
        } else {
            const auto* x =
                lowest(reinterpret_cast<const std::complex<float>*>(a), a_stride, count);
            const auto* y =
                lowest(reinterpret_cast<const std::complex<float>*>(b), b_stride, count);
            if (conjugates)
                cblas_cdotc_sub(n, x, step_a, y, step_b, result);
            else
                cblas_cdotu_sub(n, x, step_a, y, step_b, result);
        }
        return;
    }
    multiply(type, {const_cast<std::byte*>(a), 1, count, 0, a_stride},
             {const_cast<std::byte*>(b), count, 1, b_stride, 0}, {result, 1, 1, 1, 1});
}

}  // namespace refrain::array::linalg
