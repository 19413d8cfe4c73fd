#pragma once

namespace bench {

/// One-way latency in nanoseconds between two threads that pass a flag back and forth. It depends
/// on the distance between their cores, which a virtual machine may change at any time.
[[nodiscard]] double pingpong_ns();

/// Cores with a lower latency count as near; limits in nanoseconds apply to near cores only.
inline constexpr double near_ns = 120;

}  // namespace bench
