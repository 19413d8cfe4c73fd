#pragma once

#include <cstdint>

#include "overhead/config.hpp"

namespace overhead {

/// How a stream is launched and traced.
enum class Tracing { none, recorded, replayed, automatic };

/// The stencil as index launches of `width` points over two regions that swap.
[[nodiscard]] Cost index_launches(const Config& config, Tracing tracing,
                                  unsigned worker_count = workers);
/// The same as `width` single-task launches per step.
[[nodiscard]] Cost single_launches(const Config& config, Tracing tracing);
/// Index launches whose tasks take `body_ns` each: the share of the workers' time that is spent in
/// bodies.
[[nodiscard]] double body_share(const Config& config, double body_ns);
/// Where the launching thread is the bottleneck, what tasks cost besides: nanoseconds per task that a
/// loop of index launches, with a microsecond of the program's own before each, takes until all is
/// done, less what launching alone takes.
[[nodiscard]] double beyond_launch_ns(const Config& config);
/// Launches over regions drawn at random: nothing repeats. The first `warm_up` do not count.
[[nodiscard]] Cost random_launches(const Config& config, Tracing tracing, int warm_up);
/// A loop of 100,000 operations, all different: the dearest of its turns traced automatically, in
/// which it is seen first, remembered, or served, over one untraced.
[[nodiscard]] double long_loop_ratio(const Config& config);
/// Memory allocations, of any thread, while `operations` operations are replayed.
[[nodiscard]] std::uint64_t allocations_in_replay(std::uint64_t operations);
/// Seconds to mine 2^20 tokens: the slowest of several kinds of streams.
[[nodiscard]] double mine_seconds();

}  // namespace overhead
