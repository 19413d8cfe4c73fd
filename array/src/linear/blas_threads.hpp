/// BLAS computes a task on the thread that runs the task: parallelism is the runtime's.
///
/// An OpenBLAS that has no threads of its own (Debian's libopenblas0-serial) hands out its buffers without a lock, so that
/// two calls that begin at once share one, and both results are wrong. Such a library gets one call at a time.
///
// room: linear
#pragma once

#include <mutex>

namespace refrain::array::linalg {

/// Before a call of BLAS that needs no buffer, a scalar product.
void use_one_blas_thread();

/// Lives during any other call of BLAS or LAPACK.
class BlasCall {
  public:
    BlasCall();

  private:
    std::unique_lock<std::mutex> alone_;  // not held for a library that takes several calls
};

}  // namespace refrain::array::linalg
