#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#if defined(__x86_64__) && defined(__linux__)
#include <x86intrin.h>
#endif

namespace refrain::proxy {

/// What the processor's counter of time and the system's clock show at one moment.
struct ClockReading {
    std::uint64_t ticks = 0;  // 0: there is no counter
    double seconds = 0;
};

/// What a tick of the counter is worth.
///
///     rate_between({1000, 5.0}, {2001000, 5.001})    5e-10 s a tick; tick 4001000 is 5.002 s
struct TickRate {
    std::uint64_t origin = 0;
    double origin_seconds = 0;
    double seconds_per_tick = 0;  // 0: the counter is not used

    [[nodiscard]] double seconds_at(std::uint64_t ticks) const {
        // Counters of two processors differ by a few ticks.
        return origin_seconds +
               seconds_per_tick * static_cast<double>(static_cast<std::int64_t>(ticks - origin));
    }

    /// Whether the counter passed the time between two readings that the system's clock did. Not where the machine slept, or was
    /// moved: the counter begins anew, or went on while the system's clock stood.
    [[nodiscard]] bool holds_between(const ClockReading& before, const ClockReading& now) const {
        constexpr double seconds_off = 1e-3, share_off = 1e-3;  // NTP's most is 0.0005
        const double passed = now.seconds - before.seconds;
        const double counted = seconds_at(now.ticks) - seconds_at(before.ticks);
        return std::abs(counted - passed) <= seconds_off + share_off * passed;
    }
};

/// The rate is not known (0) where the readings are too near each other to tell it.
[[nodiscard]] inline TickRate rate_between(const ClockReading& before, const ClockReading& now) {
    constexpr double seconds_min = 1e-3;  // each reading is right to some 20 ns
    const double passed = now.seconds - before.seconds;
    if (before.ticks == 0 || now.ticks <= before.ticks || passed < seconds_min) return {};
    return {now.ticks, now.seconds, passed / static_cast<double>(now.ticks - before.ticks)};
}

/// The clocks that what a program computes is measured by, also where its calls take simulated time.
///
/// wall() is CLOCK_MONOTONIC. On x86-64 it is computed from the processor's counter where Linux computes it from that as well
/// (its clock source is `tsc`: one that runs at one rate and agrees between processors), since the system's function takes 30 ns
/// and the counter 21. So one that the system's clock is slewed against later (by NTP, 0.05 % at most) stays as it was, and one
/// that jumps is left alone from the next `check_counter` on.
///
/// Threads: any, after `use_counter`.
class SystemClock {
  public:
    [[nodiscard]] static double wall() {
#if defined(__x86_64__) && defined(__linux__)
        if (counts_.load(std::memory_order_relaxed)) [[likely]]
            return rate_.seconds_at(ticks());
#endif
        return read(CLOCK_MONOTONIC);
    }
    [[nodiscard]] static double cpu() {
        return read(CLOCK_THREAD_CPUTIME_ID);
    }

    /// Both clocks, read together; without ticks on processors that have no counter we know.
    [[nodiscard]] static ClockReading reading() {
        ClockReading best{0, read(CLOCK_MONOTONIC)};
#if defined(__x86_64__) && defined(__linux__)
        std::uint64_t shortest = ~std::uint64_t{0};
        for (int i = 0; i < 5; ++i) {  // an interrupt comes between the two at times
            const std::uint64_t before = ticks();
            const double seconds = read(CLOCK_MONOTONIC);
            const std::uint64_t between = ticks() - before;
            if (between >= shortest) continue;
            shortest = between;
            best = {before + between / 2, seconds};
        }
#endif
        return best;
    }
    /// From here on wall() reads the counter, if it is a clock. `before`: from the beginning of the process, say.
    static void use_counter(const ClockReading& before) {
        if (counts_.load(std::memory_order_relaxed) || !counter_is_clock()) return;
        checked_ = reading();
        rate_ = rate_between(before, checked_);
        counts_.store(rate_.seconds_per_tick != 0, std::memory_order_relaxed);
    }
    /// Now and then, by one thread at a time: wall() is the system's from here on if the counter has jumped.
    static void check_counter() {
        if (!counts_.load(std::memory_order_relaxed)) return;
        const ClockReading now = reading();
        if (!rate_.holds_between(checked_, now)) counts_.store(false, std::memory_order_relaxed);
        checked_ = now;
    }
    /// CLOCK_MONOTONIC itself.
    [[nodiscard]] static double system() {
        return read(CLOCK_MONOTONIC);
    }

    /// Whether the system takes its own time from this counter.
    [[nodiscard]] static bool counter_is_clock() {
#if defined(__x86_64__) && defined(__linux__)
        std::FILE* const file =
            std::fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
        if (file == nullptr) return false;
        char name[8] = "";
        const bool is_read = std::fgets(name, sizeof name, file) != nullptr;
        std::fclose(file);
        return is_read && std::strcmp(name, "tsc\n") == 0;
#else
        return false;
#endif
    }

  private:
#if defined(__x86_64__) && defined(__linux__)
    /// The counter, read when all earlier loads have ended. Without the fence the processor reads it before, and half of what a
    /// program waits for would count as part of its next call. RDTSCP waits, too, but some processors lack it, and Valgrind claims
    /// that they have it.
    static std::uint64_t ticks() {
        _mm_lfence();
        return __rdtsc();
    }
#endif
    static double read(clockid_t clock) {
        timespec now{};
        clock_gettime(clock, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    }

    static inline constinit TickRate rate_;
    static inline constinit ClockReading checked_;
    static inline constinit std::atomic<bool> counts_ = false;  // the counter is used
};

}  // namespace refrain::proxy
