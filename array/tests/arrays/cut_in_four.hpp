/// Machines of two workers whose operations on arrays are cut into four tiles, however small.
#pragma once

#include "refrain/array/array.hpp"

namespace refrain::array::cut_in_four {

inline Options two_workers() {
    Options made;
    made.workers = 2;
    made.observe.log = LogLevel::off;
    return made;
}
inline constexpr Tuning four_tiles{.at_once_bytes = 0, .tile_bytes = 16, .tiles = 4};

}  // namespace refrain::array::cut_in_four
