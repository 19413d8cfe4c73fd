#pragma once

#include <cstdint>

#include "overhead/config.hpp"

namespace overhead {

/// How a stream is launched and traced; `walks`: not, and analysed by walks.
enum class Tracing { none, walks, recorded, replayed, automatic };

/// The stencil as index launches of `width` points over two regions that swap.
[[nodiscard]] Cost index_launches(const Config& config, Tracing tracing,
                                  unsigned worker_count = workers);
/// The stencil as `width` single-task launches per step.
[[nodiscard]] Cost single_launches(const Config& config, Tracing tracing,
                                   unsigned worker_count = workers);
/// The share of the workers' time spent in task bodies, for index launches whose tasks take
/// `body_ns` each.
[[nodiscard]] double body_share(const Config& config, double body_ns);
/// The same of two threads that a programmer wrote for it: after each step each tells the other by a counter, and
/// waits for the other's.
[[nodiscard]] double body_share_by_hand(const Config& config, double body_ns);
/// Eight tasks that sleep for 5 ms on four workers, after hundreds of tiny ones of the same kind: the
/// longest launch from the second on, divided by the 10 ms that it takes at best.
[[nodiscard]] double sleeping_ratio(const Config& config);
/// The cost of tasks beyond launching, where the launching thread is the bottleneck: nanoseconds
/// per task of a loop of index launches, with a microsecond of the program's own work before each,
/// until all tasks have finished, minus the nanoseconds of launching alone.
[[nodiscard]] double beyond_launch_ns(const Config& config);
/// Launches over random regions, so that nothing repeats. The first `warm_up` do not count.
[[nodiscard]] Cost random_launches(const Config& config, Tracing tracing, int warm_up);
/// A loop of 100,000 operations, all different: the cost of its most expensive automatically traced
/// iteration (seen first, recorded, or replayed), divided by that of an untraced one.
[[nodiscard]] double long_loop_ratio(const Config& config);
/// What an untyped launch takes beyond a typed one on the same three regions, in nanoseconds: of
/// launching alone, in a loop.
[[nodiscard]] double dynamic_launch_ns(const Config& config);
/// A served launch on three views of one region, divided by one on three regions.
[[nodiscard]] double region_thrice_ratio(const Config& config);
/// Memory allocations on all threads while `operations` untyped launches are served.
[[nodiscard]] std::uint64_t allocations_in_dynamic_launches(std::uint64_t operations);
/// Memory allocations on all threads while `operations` operations are replayed: the most of those outside of lanes, in
/// lanes, and where the runtime chooses.
[[nodiscard]] std::uint64_t allocations_in_replay(std::uint64_t operations);
/// Seconds to mine 2^20 tokens, for the slowest of several kinds of streams.
[[nodiscard]] double mine_seconds();

}  // namespace overhead
