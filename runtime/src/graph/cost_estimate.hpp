#pragma once

#include <algorithm>
#include <cstdint>

namespace refrain::graph {

/// The estimated cost of a point after one more measurement.
///
///     revised_cost(0, 800)        -> 800      the first measurement is taken as it is
///     revised_cost(800, 900)      -> 800      within a quarter: unchanged, so its line is not
///     written revised_cost(800, 500)      -> 650      else half-way
///     revised_cost(800, 90'000)   -> 1600     at most doubled: an interrupt
///
/// The estimate must fall as fast as it rises: a task's first run has a cold cache.
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
