#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace refrain::proxy {

/// What is counted between two calls. The counts tool has them in this order.
enum class Metric : std::uint8_t {
    instructions,
    loads,
    stores,
    branches,      // conditional
    mispredicted,  // modelled
    l1_misses,     // modelled
    tlb_misses,    // modelled
    flops,
};
inline constexpr std::size_t metric_count = 8;
inline constexpr std::array<const char*, metric_count> metric_names = {
    "instructions", "loads",     "stores",     "branches",
    "mispredicted", "l1_misses", "tlb_misses", "flops"};
[[nodiscard]] constexpr bool is_modelled(std::size_t metric) {
    return metric >= static_cast<std::size_t>(Metric::mispredicted) &&
           metric <= static_cast<std::size_t>(Metric::tlb_misses);
}
/// Of the instructions: less of an exact count, or of a modelled one, is rare, and no fit aims at it.
[[nodiscard]] constexpr double rare_share_of_instructions(std::size_t metric) {
    return is_modelled(metric) ? 3e-4 : 5e-3;
}

using Counts = std::array<std::uint64_t, metric_count>;

/// Where the figures of a recording come from. Figures of different sources are never compared.
enum class Source : std::uint8_t {
    time,             // processor time only
    counts,           // the Valgrind tool; its time means nothing
    time_and_counts,  // two runs, joined
    perf,             // hardware counters of the kernel, with time
};
inline constexpr std::array<const char*, 4> source_names = {"time", "counts", "time and counts",
                                                            "perf"};
[[nodiscard]] constexpr bool has_counts(Source source) {
    return source != Source::time;
}
[[nodiscard]] constexpr bool has_time(Source source) {
    return source != Source::counts;
}

}  // namespace refrain::proxy
