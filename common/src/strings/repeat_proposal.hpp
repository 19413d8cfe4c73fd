#pragma once

#include "base/assertion.hpp"
#include "strings/index.hpp"

namespace refrain::strings {

/// Two disjoint occurrences of one substring, at `first` < `second`. Length 0: no repeat.
struct RepeatProposal {
    Index first;
    Index second;
    Index length;
    friend bool operator==(const RepeatProposal&, const RepeatProposal&) = default;
};

/// The repeat that two suffixes with a common prefix propose; symmetric in a and b.
///
/// Far apart (distance d >= common): the prefix itself.
/// Overlapping (d < common): the string from the first suffix on has period d for d + common
/// symbols; the repeat is the largest number of whole periods that fits into them twice, side by
/// side.
///
///   S = ababababa, a = 0, b = 2, common = 7:  d = 2, 9 symbols of period 2, so abab at 0 and 4
///
/// Shapes:  positions a != b of the suffixes, common >= 0 the length of their common prefix.
/// Source:  Yadav et al., ASPLOS 2025, Algorithm 2.
[[nodiscard]] constexpr RepeatProposal propose_repeat(Index a, Index b, Index common) {
    REFRAIN_ASSERT(a != b, "a suffix does not repeat itself");
    const Index first = a < b ? a : b;
    const Index distance = a < b ? b - a : a - b;
    if (distance >= common) return {first, first + distance, common};
    const Index period_count = (common / distance + 1) / 2;  // floor((common + distance) / 2d)
    const Index length = period_count * distance;
    return {first, first + length, length};
}

}  // namespace refrain::strings
