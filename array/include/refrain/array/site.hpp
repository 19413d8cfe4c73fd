/// Lines of the program, as two words.
///
// room: stores
#pragma once

#include <cstdint>

namespace refrain::array {

/// Where the program issued an operation; resolved when somebody asks.
struct Site {
    std::uint64_t words[2] = {0, 0};
    friend bool operator==(const Site&, const Site&) = default;
};

}  // namespace refrain::array
