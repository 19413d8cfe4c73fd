#pragma once

#include <cstdint>
#include <vector>

#include "streams/stream.hpp"

namespace streams {

/// Makes one kind of stream, the same one each time.
struct Generator {
    const char* name;
    const char* what;
    std::vector<Line> (*make)(std::uint64_t operations);

    [[nodiscard]] Stream stream(std::uint64_t operations) const {
        return {name, what, make(operations), true};
    }
};

/// From those that repeat plainly to those that do not.
[[nodiscard]] const std::vector<Generator>& generators();

}  // namespace streams
