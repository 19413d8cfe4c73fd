#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "streams/recogniser.hpp"
#include "streams/stream.hpp"

namespace streams {

/// The results of a recogniser on a stream. Shares and positions are those of traceable operations.
struct Outcome {
    std::uint64_t operations = 0;
    std::optional<std::uint64_t> first_replay;  // operations before it
    std::optional<std::uint64_t> steady_from;
    double coverage = 0;
    double coverage_last_quarter = 0;
    double held_mean = 0;
    std::uint64_t held_max = 0;
    std::uint64_t traces = 0;
    std::uint64_t replays = 0;     // of traces
    std::uint64_t repeats = 0;     // operations outside of traces that have a precedent
    std::size_t memory_bytes = 0;  // peak, without bytes that it never touched
    // CPU time per operation, a value per round.
    std::vector<double> launch_ns;      // of the launching thread, without mining
    std::vector<double> background_ns;  // of mining

    [[nodiscard]] std::vector<double> all_ns() const;
};

/// Runs the stream once with a Witness as host, and once per round with a host that does nothing,
/// to measure costs.
///
/// There is one thread. Mining runs when its result is due, timed separately: decisions are a
/// function of the stream, and both costs are independent of other load on the machine. Effects of
/// mining and launching on each other's caches are not measured.
///
/// Errors: Broken if the recogniser violates a guarantee.
[[nodiscard]] Outcome measure(const Recogniser& recogniser, const Choices& choices,
                              const Stream& stream, int rounds);

}  // namespace streams
