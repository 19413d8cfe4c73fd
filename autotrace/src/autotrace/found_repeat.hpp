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
    /// Equal for equal candidates: all rotations of one loop, or one sequence of tokens. Two that
    /// differ may share it by collision; then the second is not proposed, which costs time only.
    base::Hash128 key;
    bool after_break;  ///< begins where something was waited for: the natural head of a loop
};

}  // namespace refrain::autotrace
