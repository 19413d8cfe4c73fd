#pragma once

#include <cstdint>
#include <limits>

namespace refrain::strings {

/// A symbol of a sequence: an integer without meaning here; only equality and order are used.
using Symbol = std::uint32_t;

/// A position in a sequence, a rank in its suffix array, or a difference of two of these. Signed on
/// purpose: the algorithms of this room compare differences of positions, and in unsigned
/// arithmetic `a - b < 0` never holds, so that overlapping occurrences to the left are silently
/// lost.
using Index = std::int32_t;

/// The longest sequence an Index can address.
inline constexpr Index sequence_length_max = std::numeric_limits<Index>::max() - 1;

}  // namespace refrain::strings
