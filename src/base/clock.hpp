#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

namespace refrain::base {

/// The cheapest clock of the machine: a counter of constant rate, about 8 ns to read, not ordered
/// with other instructions. Differences of two readings mean something, also across threads; see
/// ns_per_tick.
[[nodiscard]] inline std::uint64_t ticks() {
#if defined(__x86_64__) || defined(__i386__)
    return __rdtsc();
#elif defined(__aarch64__)
    std::uint64_t count;
    asm volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// How long a tick is, measured against the steady clock since the program started: to a few parts
/// in 10^5 at first (the first call may take 2 ms for that), better as time goes by.
[[nodiscard]] double ns_per_tick();

[[nodiscard]] inline double ticks_to_ns(std::uint64_t ticks) {
    return static_cast<double>(ticks) * ns_per_tick();
}

}  // namespace refrain::base
