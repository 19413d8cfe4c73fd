/// LAPACK by the type of the elements.
///
// room: linear
#pragma once

#include <complex>
#include <string>
#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

#include "linear/blas_threads.hpp"
#include "linear/matrices.hpp"

namespace refrain::array::linalg {

using Complex = std::complex<double>;

/// LAPACKE_d... or LAPACKE_z... of the same arguments.
#define REFRAIN_LAPACK(T, real_name, complex_name, ...) \
    [&] {                                               \
        const BlasCall call;                            \
        if constexpr (std::is_same_v<T, double>)        \
            return LAPACKE_##real_name(__VA_ARGS__);    \
        else                                            \
            return LAPACKE_##complex_name(__VA_ARGS__); \
    }()

[[noreturn]] inline void refuse(const char* message) {
    throw ArrayError(ErrorKind::linear_algebra, message);
}

}  // namespace refrain::array::linalg
