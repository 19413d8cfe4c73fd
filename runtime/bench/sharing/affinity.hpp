#pragma once

/// What affinity would save: a loop of index launches on workers, in virtual time, in which every
/// cache line is followed. Two ways to hand points to workers are compared:
///
///     shared    as workers.cpp does: who makes points ready runs them or puts them into its queue,
///               whoever has nothing steals, long groups are split
///     mailbox   a point has a worker, the one that ran it in the iteration before. The launching
///               thread publishes one counter per launch; a worker looks at the counts of its own
///               points, and at those of others only after it has idled for a while
///
/// A line costs nothing to the core that wrote it last and to those that have read it since; anybody
/// else waits as long as a flag takes from there. Data is one line per point: the smallest tasks.

#include <cstdint>
#include <string_view>
#include <vector>

#include "sharing/scenario.hpp"

namespace sharing {

enum class Pattern { none, stencil, nearest, spread, fft, all_to_all };
inline constexpr Pattern patterns[] = {Pattern::none,   Pattern::stencil, Pattern::nearest,
                                       Pattern::spread, Pattern::fft,     Pattern::all_to_all};
[[nodiscard]] std::string_view name_of(Pattern pattern);

/// The points of an iteration that a point of the next one reads, each once.
///
/// sources_of(Pattern::stencil, 0, 3, 8) -> {2, 3, 4}
[[nodiscard]] std::vector<std::uint32_t> sources_of(Pattern pattern, std::uint64_t iteration,
                                                    std::uint32_t point, std::uint32_t points);

enum class Handing { shared, mailbox };

struct Loop {
    Machine machine;
    Pattern pattern = Pattern::stencil;
    Ns body_ns = 1'000;
    std::uint32_t points_per_worker = 4;
    std::uint32_t iterations = 400;
    std::uint32_t window = 64;
};

struct LoopOutcome {
    double lines_per_task = 0;  // that crossed between cores
    double body_share = 0;      // of the workers' time
    std::uint64_t points = 0;   // run
    std::uint64_t moved = 0;    // of these, by another worker than in the iteration before
};

[[nodiscard]] LoopOutcome simulate_loop(const Loop& loop, Handing handing);

/// The table of runtime/docs/sharing.md.
void print_affinity();

}  // namespace sharing
