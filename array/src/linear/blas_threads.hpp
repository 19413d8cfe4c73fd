/// BLAS computes a task on the thread that runs the task: parallelism is the runtime's.
///
// room: linear
#pragma once

namespace refrain::array::linalg {

/// Before a call of BLAS or LAPACK.
void use_one_blas_thread() noexcept;

}  // namespace refrain::array::linalg
