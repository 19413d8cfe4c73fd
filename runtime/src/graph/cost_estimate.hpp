#pragma once

#include <algorithm>
#include <cstdint>

namespace refrain::graph {

/// The estimate of what a point costs, after one more measurement.
///
///     revised_cost(0, 800)        -> 800      the first one is all there is
///     revised_cost(800, 900)      -> 800      within a quarter it stays, so nobody writes its line
///     revised_cost(800, 500)      -> 650      half-way
///     revised_cost(800, 90'000)   -> 1600     an interrupt doubles it at most
///
/// It comes down as easily as it goes up: the first measurement of a task is of a cold cache.
[[nodiscard]] constexpr std::uint32_t revised_cost(std::uint32_t estimate,
                                                   std::uint64_t measured_ticks) {
    constexpr std::uint64_t ticks_max = std::uint64_t{1} << 31;
    const std::uint64_t seen = std::clamp<std::uint64_t>(measured_ticks, 1, ticks_max);
    if (estimate == 0) return static_cast<std::uint32_t>(seen);
    const std::uint64_t old = estimate;
    if (std::max(seen, old) - std::min(seen, old) <= old / 4) return estimate;
    return static_cast<std::uint32_t>(std::min({(old + seen) / 2, 2 * old, ticks_max}));
}

}  // namespace refrain::graph
