/// Seeded random choices: the same on every machine for the same seed.
#pragma once

#include "base/hash.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::property {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(base::mix(seed + 0x9e3779b97f4a7c15U)) {}

    std::uint64_t word() { return base::mix(state_ += 0x9e3779b97f4a7c15U); }
    /// A number in [0, count).
    int below(int count) { return static_cast<int>(word() % static_cast<std::uint64_t>(count)); }
    /// A number in [low, high].
    int between(int low, int high) { return low + below(high - low + 1); }
    /// True with probability 1 / times.
    bool once_in(int times) { return below(times) == 0; }
    bool percent(int chance) { return below(100) < chance; }
    /// One of `choices`, which is not empty.
    template <class T>
    const T& among(const std::vector<T>& choices) {
        return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
    }

  private:
    std::uint64_t state_;
};

}  // namespace refrain::property
