#include <cmath>

#include "linear/lapack.hpp"

namespace refrain::array::linalg {

namespace {

[[noreturn]] void refuse_convergence() {
    refuse("Eigenvalues did not converge");
}

template <class T>
void check_finite(Columns<T>& a) {
    for (const T& element : a.elements) {
        if (!std::isfinite(std::real(element)) || !std::isfinite(std::imag(element)))
            refuse("Array must not contain infs or NaNs");
    }
}

/// Eigenvalues and, if they are wanted, right eigenvectors, as LAPACK has them.
void compute_eigenvalues(Columns<Complex>& a, bool vectors, Columns<Complex>& values,
                         Columns<Complex>& made) {
    const BlasCall call;
    const int n = a.rows;
    if (n > 0 && LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', vectors ? 'V' : 'N', n, a.data(), a.leading(),
                               values.data(), nullptr, 1, made.data(), made.leading()) > 0)
        refuse_convergence();
}
void compute_eigenvalues(Columns<double>& a, bool vectors, Columns<Complex>& values,
                         Columns<Complex>& made) {
    const BlasCall call;
    const int n = a.rows;
    if (n == 0) return;
    Columns<double> real(n, 1);
    Columns<double> imaginary(n, 1);
    Columns<double> packed(vectors ? n : 1, vectors ? n : 1);
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', vectors ? 'V' : 'N', n, a.data(), a.leading(),
                      real.data(), imaginary.data(), nullptr, 1, packed.data(),
                      packed.leading()) > 0)
        refuse_convergence();
    for (int j = 0; j < n; ++j) values.at(j, 0) = {real.at(j, 0), imaginary.at(j, 0)};
    if (!vectors) return;
    for (int j = 0; j < n; ++j) {
        // Conjugate pairs lie as a real and an imaginary column.
        const bool pair = imaginary.at(j, 0) != 0.0 && j + 1 < n;
        for (int i = 0; i < n; ++i) {
            made.at(i, j) = {packed.at(i, j), pair ? packed.at(i, j + 1) : 0.0};
            if (pair) made.at(i, j + 1) = std::conj(made.at(i, j));
        }
        if (pair) ++j;
    }
}

template <class T>
void compute_hermitian(Columns<T>& a, bool vectors, char triangle, Columns<double>& values) {
    const int n = a.rows;
    const char wanted = vectors ? 'V' : 'N';
    if (n > 0 && REFRAIN_LAPACK(T, dsyevd, zheevd, LAPACK_COL_MAJOR, wanted, triangle, n, a.data(),
                                a.leading(), values.data()) > 0)
        refuse_convergence();
}

}  // namespace

template <class T>
void eigenvalues(const Stack& stack, Extent position) {
    Columns<T> a = stack.part<T>(1, position).load();
    check_finite(a);
    Columns<Complex> values(a.rows, 1);
    Columns<Complex> none(1, 1);
    compute_eigenvalues(a, false, values, none);
    stack.part<Complex>(0, position).store(values);
}

template <class T>
void eigenvectors(const Stack& stack, Extent position) {
    Columns<T> a = stack.part<T>(2, position).load();
    check_finite(a);
    Columns<Complex> values(a.rows, 1);
    Columns<Complex> vectors(a.rows, a.rows);
    compute_eigenvalues(a, true, values, vectors);
    stack.part<Complex>(0, position).store(values);
    stack.part<Complex>(1, position).store(vectors);
}

template <class T, char triangle>
void hermitian_eigenvalues(const Stack& stack, Extent position) {
    Columns<T> a = stack.part<T>(1, position).load();
    Columns<double> values(a.rows, 1);
    compute_hermitian(a, false, triangle, values);
    stack.part<double>(0, position).store(values);
}

template <class T, char triangle>
void hermitian_eigenvectors(const Stack& stack, Extent position) {
    Columns<T> a = stack.part<T>(2, position).load();
    Columns<double> values(a.rows, 1);
    compute_hermitian(a, true, triangle, values);
    stack.part<double>(0, position).store(values);
    stack.part<T>(1, position).store(a);
}

namespace {

template <class T>
void decompose(Columns<T>& a, char wanted, Columns<T>& u, Columns<double>& values, Columns<T>& v) {
    if (a.rows == 0 || a.columns == 0) {  // unit matrices
        for (int i = 0; i < std::min(u.rows, u.columns); ++i) u.at(i, i) = T(1);
        for (int i = 0; i < std::min(v.rows, v.columns); ++i) v.at(i, i) = T(1);
        return;
    }
    if (REFRAIN_LAPACK(T, dgesdd, zgesdd, LAPACK_COL_MAJOR, wanted, a.rows, a.columns, a.data(),
                       a.leading(), values.data(), u.data(), u.leading(), v.data(),
                       v.leading()) != 0)
        refuse("SVD did not converge");
}

}  // namespace

template <class T>
void singular_values(const Stack& stack, Extent position) {
    Columns<T> a = stack.part<T>(1, position).load();
    Columns<double> values(std::min(a.rows, a.columns), 1);
    Columns<T> none(1, 1);
    decompose(a, 'N', none, values, none);
    stack.part<double>(0, position).store(values);
}

template <class T, char wanted>
void singular_vectors(const Stack& stack, Extent position) {
    const Part<T> left = stack.part<T>(0, position);
    const Part<T> right = stack.part<T>(2, position);
    Columns<T> a = stack.part<T>(3, position).load();
    Columns<T> u(left.rows, left.columns);
    Columns<T> v(right.rows, right.columns);
    Columns<double> values(std::min(a.rows, a.columns), 1);
    decompose(a, wanted, u, values, v);
    left.store(u);
    stack.part<double>(1, position).store(values);
    right.store(v);
}

#define REFRAIN_INSTANTIATE(T)                                          \
    template void eigenvalues<T>(const Stack&, Extent);                 \
    template void eigenvectors<T>(const Stack&, Extent);                \
    template void hermitian_eigenvalues<T, 'L'>(const Stack&, Extent);  \
    template void hermitian_eigenvalues<T, 'U'>(const Stack&, Extent);  \
    template void hermitian_eigenvectors<T, 'L'>(const Stack&, Extent); \
    template void hermitian_eigenvectors<T, 'U'>(const Stack&, Extent); \
    template void singular_values<T>(const Stack&, Extent);             \
    template void singular_vectors<T, 'S'>(const Stack&, Extent);       \
    template void singular_vectors<T, 'A'>(const Stack&, Extent)
REFRAIN_INSTANTIATE(double);
REFRAIN_INSTANTIATE(Complex);
#undef REFRAIN_INSTANTIATE

}  // namespace refrain::array::linalg
