#pragma once

#include <cstdint>
#include <vector>

#include "streams/stream.hpp"

namespace streams {

/// Generates one stream, deterministically.
struct Generator {
    const char* name;
    const char* what;
    std::vector<Line> (*make)(std::uint64_t operations);

    [[nodiscard]] Stream stream(std::uint64_t operations) const {
        return {.name = name, .what = what, .lines = make(operations), .has_names = true};
    }
};

/// All generators, from plain loops to streams without repeats.
[[nodiscard]] const std::vector<Generator>& generators();

}  // namespace streams
