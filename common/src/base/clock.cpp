#include "base/clock.hpp"

#include <thread>

namespace refrain::base {
namespace {

using Steady = std::chrono::steady_clock;

/// One instant, read from both clocks.
struct Instant {
    std::uint64_t ticks;
    Steady::time_point time;
};

/// Reads both clocks five times and keeps the reading with the shortest gap, which a preemption is
/// least likely to have disturbed.
Instant read_both() {
    Instant best{};
    std::uint64_t shortest = ~std::uint64_t{0};
    for (int attempt = 0; attempt < 5; ++attempt) {
        const std::uint64_t before = ticks();
        const Steady::time_point time = Steady::now();
        const std::uint64_t gap = ticks() - before;
        if (gap < shortest) {
            shortest = gap;
            best = {before + gap / 2, time};
        }
    }
    return best;
}

const Instant program_start = read_both();

}  // namespace

double ns_per_tick() {
    constexpr auto shortest = std::chrono::milliseconds(2);
    const auto elapsed = Steady::now() - program_start.time;
    if (elapsed < shortest) std::this_thread::sleep_for(shortest - elapsed);
    const Instant now = read_both();
    const std::chrono::duration<double, std::nano> span = now.time - program_start.time;
    return span.count() / static_cast<double>(now.ticks - program_start.ticks);
}

}  // namespace refrain::base
