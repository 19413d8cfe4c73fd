#include <cmath>
#include <limits>

#include "linear/lapack.hpp"

namespace refrain::array::linalg {

namespace {

/// The sign of the determinant, and the logarithm of its absolute value, by an LU factorization.
template <class T>
T sign_of_determinant(Columns<T>& a, double& logarithm) {
    const int n = a.rows;
    std::vector<lapack_int> pivots(static_cast<std::size_t>(std::max(n, 1)));
    logarithm = 0;
    if (n == 0) return T(1);
    const lapack_int info = REFRAIN_LAPACK(T, dgetrf, zgetrf, LAPACK_COL_MAJOR, n, n, a.data(),
                                           a.leading(), pivots.data());
    if (info > 0) {
        logarithm = -std::numeric_limits<double>::infinity();
        return T(0);
    }
    T sign(1);
    for (int i = 0; i < n; ++i) {
        if (pivots[static_cast<std::size_t>(i)] != i + 1) sign = -sign;
        const double size = std::abs(a.at(i, i));
        if constexpr (std::is_same_v<T, double>)
            sign = std::signbit(a.at(i, i)) ? -sign : sign;
        else
            sign *= a.at(i, i) / size;
        logarithm += std::log(size);
    }
    return sign;
}

}  // namespace

template <class T>
void determinant(const Stack& stack, Extent position) {
    Columns<T> a = stack.part<T>(1, position).load();
    double logarithm = 0;
    const T sign = sign_of_determinant(a, logarithm);
    stack.part<T>(0, position).at(0) = sign * std::exp(logarithm);
}

template <class T>
void sign_and_logarithm(const Stack& stack, Extent position) {
    Columns<T> a = stack.part<T>(2, position).load();
    stack.part<T>(0, position).at(0) =
        sign_of_determinant(a, stack.part<double>(1, position).at(0));
}

/// b becomes the solution of a x = b.
template <class T>
static void solve_columns(Columns<T>& a, Columns<T>& b) {
    if (a.rows == 0 || b.columns == 0) return;
    std::vector<lapack_int> pivots(static_cast<std::size_t>(a.rows));
    const lapack_int info =
        REFRAIN_LAPACK(T, dgesv, zgesv, LAPACK_COL_MAJOR, a.rows, b.columns, a.data(), a.leading(),
                       pivots.data(), b.data(), b.leading());
    if (info > 0) refuse("Singular matrix");
}

template <class T>
void invert(const Stack& stack, Extent position) {
    Columns<T> a = stack.part<T>(1, position).load();
    Columns<T> inverse(a.rows, a.rows);
    for (int i = 0; i < a.rows; ++i) inverse.at(i, i) = T(1);
    solve_columns(a, inverse);
    stack.part<T>(0, position).store(inverse);
}

template <class T>
void solve(const Stack& stack, Extent position) {
    Columns<T> a = stack.part<T>(1, position).load();
    Columns<T> b = stack.part<T>(2, position).load();
    solve_columns(a, b);
    stack.part<T>(0, position).store(b);
}

template <class T>
void cholesky(const Stack& stack, Extent position) {
    Columns<T> a = stack.part<T>(1, position).load();
    const int n = a.rows;
    if (n > 0 &&
        REFRAIN_LAPACK(T, dpotrf, zpotrf, LAPACK_COL_MAJOR, 'L', n, a.data(), a.leading()) > 0)
        refuse("Matrix is not positive definite");
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < j; ++i) a.at(i, j) = T(0);
    stack.part<T>(0, position).store(a);
}

template <class T>
void qr_factor(const Stack& stack, Extent position) {
    const Part<T> place = stack.part<T>(1, position);
    Columns<T> a = place.load();
    Columns<T> factors(std::min(a.rows, a.columns), 1);
    if (factors.rows > 0)
        static_cast<void>(REFRAIN_LAPACK(T, dgeqrf, zgeqrf, LAPACK_COL_MAJOR, a.rows, a.columns,
                                         a.data(), a.leading(), factors.data()));
    place.store(a);
    stack.part<T>(0, position).store(factors);
}

template <class T>
void qr_assemble(const Stack& stack, Extent position) {
    const Part<T> place = stack.part<T>(0, position);
    const Part<T> reflectors = stack.part<T>(1, position);
    Columns<T> factors = stack.part<T>(2, position).load();
    Columns<T> q(place.rows, place.columns);
    for (int j = 0; j < std::min(q.columns, reflectors.columns); ++j)
        for (int i = 0; i < q.rows; ++i) q.at(i, j) = reflectors.at(i, j);
    if (q.rows > 0 && q.columns > 0)
        static_cast<void>(REFRAIN_LAPACK(T, dorgqr, zungqr, LAPACK_COL_MAJOR, q.rows, q.columns,
                                         std::min(factors.rows, q.columns), q.data(), q.leading(),
                                         factors.data()));
    place.store(q);
}

template <class T>
void least_squares(const Stack& stack, Extent position) {
    const Part<T> solution = stack.part<T>(0, position);
    const Part<double> residuals = stack.part<double>(1, position);
    const Part<double> values = stack.part<double>(3, position);
    Columns<T> a = stack.part<T>(4, position).load();
    const Part<T> right = stack.part<T>(5, position);
    const int m = a.rows;
    const int n = a.columns;
    Columns<T> b(std::max(m, n), right.columns);
    for (int j = 0; j < right.columns; ++j)
        for (int i = 0; i < m; ++i) b.at(i, j) = right.at(i, j);
    Columns<double> singular(std::min(m, n), 1);
    lapack_int rank = 0;
    if (m > 0 && n > 0 &&
        REFRAIN_LAPACK(T, dgelsd, zgelsd, LAPACK_COL_MAJOR, m, n, b.columns, a.data(), a.leading(),
                       b.data(), b.leading(), singular.data(),
                       stack.part<double>(6, position).at(0), &rank) > 0)
        refuse("SVD did not converge in Linear Least Squares");
    for (int j = 0; j < b.columns; ++j) {
        for (int i = 0; i < n; ++i) solution.at(i, j) = b.at(i, j);
        double rest = rank == n && m > n ? 0.0 : std::numeric_limits<double>::quiet_NaN();
        for (int i = n; i < m && rank == n; ++i) rest += std::norm(b.at(i, j));
        residuals.at(j) = rest;
    }
    stack.part<std::int32_t>(2, position).at(0) = rank;
    values.store(singular);
}

#define REFRAIN_INSTANTIATE(T)                                 \
    template void determinant<T>(const Stack&, Extent);        \
    template void sign_and_logarithm<T>(const Stack&, Extent); \
    template void invert<T>(const Stack&, Extent);             \
    template void solve<T>(const Stack&, Extent);              \
    template void cholesky<T>(const Stack&, Extent);           \
    template void qr_factor<T>(const Stack&, Extent);          \
    template void qr_assemble<T>(const Stack&, Extent);        \
    template void least_squares<T>(const Stack&, Extent)
REFRAIN_INSTANTIATE(double);
REFRAIN_INSTANTIATE(Complex);
#undef REFRAIN_INSTANTIATE

}  // namespace refrain::array::linalg
