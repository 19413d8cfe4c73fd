#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dormancy {

/// A program as a sequence of launches: equal numbers are launches that look alike.
struct Stream {
    std::string name;
    std::vector<std::uint64_t> launches;
};

/// Programs that never repeat, that loop, and that do both in turns, some of which announce repeats that
/// do not come. Each of about `length` launches.
[[nodiscard]] std::vector<Stream> all_streams(std::size_t length);

}  // namespace dormancy
