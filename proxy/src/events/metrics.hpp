#pragma once

#include <algorithm>
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

inline void add(Counts& sum, const Counts& more) {
    for (std::size_t i = 0; i < metric_count; ++i) sum[i] += more[i];
}
/// What is left of some counts without others; never less than nothing.
[[nodiscard]] inline Counts without(Counts all, const Counts& less) {
    for (std::size_t i = 0; i < metric_count; ++i) all[i] -= std::min(all[i], less[i]);
    return all;
}

/// Where the figures of a recording come from. Figures of different sources are never compared.
enum class Source : std::uint8_t {
    time,             // processor time only
    counts,           // the Valgrind tool; its time means nothing
    time_and_counts,  // two runs, joined
    perf,             // hardware counters of the kernel, with time
    papi,             // those that PAPI chooses, likewise
};
inline constexpr std::array<const char*, 5> source_names = {"time", "counts", "time and counts",
                                                            "perf", "papi"};
[[nodiscard]] constexpr bool has_counts(Source source) {
    return source != Source::time;
}
[[nodiscard]] constexpr bool is_hardware(Source source) {
    return source == Source::perf || source == Source::papi;
}
/// What counts a run again, as `--metrics` names it; of a source that has counts.
[[nodiscard]] constexpr const char* counted_by(Source source) {
    return is_hardware(source) ? source_names[static_cast<std::size_t>(source)] : "counts";
}
[[nodiscard]] constexpr bool has_time(Source source) {
    return source != Source::counts;
}

}  // namespace refrain::proxy
