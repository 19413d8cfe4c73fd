#pragma once

namespace bench {

/// One-way latency in nanoseconds between two threads that pass a flag to and fro: the distance
/// between the cores, which a virtual machine may change at any time.
[[nodiscard]] double pingpong_ns();

/// Below this the cores are near, and limits in nanoseconds apply.
inline constexpr double near_ns = 120;

}  // namespace bench
