#include "linear/blas_threads.hpp"

#include <cblas.h>

#include "linear/lapack.hpp"

namespace refrain::array::linalg {

void use_one_blas_thread() noexcept {
    static const bool once = [] {
        openblas_set_num_threads(1);
        LAPACKE_set_nancheck(0);  // what is not a number goes through, as in NumPy
        return true;
    }();
    static_cast<void>(once);
}

}  // namespace refrain::array::linalg
