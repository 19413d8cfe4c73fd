#pragma once

#include <cstdint>

namespace graphs {

/// The compute-bound kernel of Task Bench: `iterations` times a fused multiply-add on each of 64
/// doubles, a = a * a + a. Keeps its buffer on the stack and its result to itself.
///
/// Machines without fused multiply-adds multiply and add.
void compute(std::int64_t iterations);

/// What an iteration counts: 64 multiplications and 64 additions.
inline constexpr double flops_per_iteration = 2 * 64;

/// Floating-point operations per second that `threads` threads reach together when they do nothing
/// but this kernel: the rate that efficiency is relative to.
[[nodiscard]] double peak_flops(unsigned threads);

}  // namespace graphs
