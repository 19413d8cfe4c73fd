#include "linear/blas_threads.hpp"

#include <cblas.h>
#include <string_view>

#include "linear/lapack.hpp"

namespace refrain::array::linalg {

namespace {

/// Prepares the library; whether it takes several calls at once.
bool takes_several_calls() {
    openblas_set_num_threads(1);
    LAPACKE_set_nancheck(0);  // what is not a number goes through, as in NumPy
    const std::string_view built(openblas_get_config());
    return openblas_get_parallel() != OPENBLAS_SEQUENTIAL ||
           built.find("USE_LOCKING") != std::string_view::npos ||
           built.find("USE_TLS") != std::string_view::npos;
}

/// Asked once: the first time prepares the library.
bool takes_several() {
    static const bool several = takes_several_calls();
    return several;
}

}  // namespace

void use_one_blas_thread() {
    static_cast<void>(takes_several());
}

BlasCall::BlasCall() {
    static std::mutex one_call;
    if (!takes_several()) alone_ = std::unique_lock(one_call);
}

}  // namespace refrain::array::linalg
