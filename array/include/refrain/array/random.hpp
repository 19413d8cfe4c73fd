/// Random numbers: the streams of numpy.random.Generator.
///
///     Generator generator(machine, 7);                    // numpy.random.default_rng(7)
///     Array x = generator.random({1000, 1000});           // [0, 1)
///     Array y = generator.uniform(-1, 1, {500});          // goes on where x ended
///     Array z = generator.integers(0, 6, {10});           // 0 to 5
///
/// Draws are tasks, in the order of the calls; tiles of random() and uniform() draw their own part. Equal
/// seeds give NumPy's numbers, bit for bit, whatever the number of workers.
///
/// Errors:  ArrayError, as Machine.
/// Threads: the launching thread.
///
// room: random
#pragma once

#include "refrain/array/array.hpp"

#include <cstdint>

namespace refrain::array {

enum class BitGenerator : std::uint8_t { pcg64, philox };

/// A stream of random numbers. Copies share it.
class Generator {
  public:
    Generator(Machine& machine, std::uint64_t seed, BitGenerator bits = BitGenerator::pcg64);

    /// float64, at least 0 and below 1.
    [[nodiscard]] Array random(const Extents& shape) { return uniform(0.0, 1.0, shape); }
    /// float64: low + (high - low) * random().
    /// Errors: of kind `value` if high is below low or high - low is not finite.
    [[nodiscard]] Array uniform(double low, double high, const Extents& shape);
    /// int64, at least `low` and below `high`, each equally often.
    /// Errors: of kind `value` if there is no such number.
    [[nodiscard]] Array integers(std::int64_t low, std::int64_t high, const Extents& shape);

  private:
    BitGenerator bits_;
    Array state_;  // in the words of StreamState (src/random/generator.cpp)
};

}  // namespace refrain::array
