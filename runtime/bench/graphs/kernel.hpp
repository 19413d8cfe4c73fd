#pragma once

#include <cstdint>

namespace graphs {

/// The compute-bound kernel of Task Bench: `iterations` times a fused multiply-add, a = a * a + a,
/// on each of 64 doubles. The buffer is on the stack; the result is discarded.
///
/// Machines without fused multiply-add use a multiplication and an addition.
void compute(std::int64_t iterations);

/// Per iteration: 64 multiplications and 64 additions.
inline constexpr double flops_per_iteration = 2 * 64;

/// Floating-point operations per second of `threads` threads that run only this kernel: the rate
/// that efficiency is relative to.
[[nodiscard]] double peak_flops(unsigned threads);

}  // namespace graphs
