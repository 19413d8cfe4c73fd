#pragma once

#include "autotrace/history.hpp"
#include "base/hash.hpp"

#include <cstdint>

namespace refrain::autotrace {

/// A repeat that mining proposes as a candidate: the tokens [begin, begin + length) of the history.
struct FoundRepeat {
    Position begin;
    std::uint32_t length;
    std::uint32_t occurrences;  ///< in the slice
    /// Hash of the content; all rotations of a loop have the same key. If different repeats
    /// collide, the second does not become a candidate, which costs time but changes no result.
    base::Hash128 key;
    bool after_break;  ///< begins directly after a break: the natural beginning of a loop
};

}  // namespace refrain::autotrace
