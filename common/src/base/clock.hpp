#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

namespace refrain::base {

/// The cheapest clock of the machine: a counter of constant rate, about 8 ns to read, not ordered
/// with other instructions. Only differences are meaningful; the two readings may come from
/// different threads. See ns_per_tick.
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

/// The same, read only after all earlier loads have completed: some 20 ns.
[[nodiscard]] inline std::uint64_t ticks_after_loads() {
#if defined(__x86_64__) || defined(__i386__)
    _mm_lfence();
#elif defined(__aarch64__)
    asm volatile("dsb ishld; isb" ::: "memory");
#endif
    return ticks();
}

/// Seconds since 1970, by the clock on the wall.
[[nodiscard]] inline double unix_time_s() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

/// The length of a tick, measured against the steady clock since the program started. Accurate to a
/// few parts in 10^5 at first (a call in the first 2 ms sleeps until they are over), better later.
[[nodiscard]] double ns_per_tick();

[[nodiscard]] inline double ticks_to_ns(std::uint64_t ticks) {
    return static_cast<double>(ticks) * ns_per_tick();
}

/// Uses the tick length measured at the first call, which may sleep for up to 2 ms.
[[nodiscard]] inline std::uint64_t ns_to_ticks(std::uint64_t ns) {
    static const double ticks_per_ns = 1.0 / ns_per_tick();
    return static_cast<std::uint64_t>(static_cast<double>(ns) * ticks_per_ns);
}

}  // namespace refrain::base
