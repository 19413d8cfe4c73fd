#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "streams/recogniser.hpp"
#include "streams/stream.hpp"

namespace streams {

/// What a recogniser made of a stream. Shares and positions are those of operations with a token.
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
    std::size_t memory_bytes = 0;  // the most that it had at a time, and touched
    // CPU time per operation, a value per round.
    std::vector<double> launch_ns;      // of the launching thread, without mining
    std::vector<double> background_ns;  // of mining

    [[nodiscard]] std::vector<double> all_ns() const;
};

/// Runs the stream once in front of a Witness, and once per round in front of a host that does
/// nothing, with clocks.
///
/// There is one thread. Mining waits until its result is due and then runs by itself, between two
/// clocks: what is decided is a function of the stream, and both costs are measured whatever else
/// the machine does. That they share caches with each other, or with tasks, is not seen here.
///
/// Errors: Broken if the recogniser breaks a promise.
[[nodiscard]] Outcome measure(const Recogniser& recogniser, const Choices& choices,
                              const Stream& stream, int rounds);

}  // namespace streams
