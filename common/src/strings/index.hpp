#pragma once

#include <cstdint>
#include <limits>

namespace refrain::strings {

/// A symbol of a sequence: an integer of which only equality and order matter.
using Symbol = std::uint32_t;

/// A position in a sequence, a rank in its suffix array, or a difference of two of these. It must
/// be signed: the algorithms compare differences of positions, and in unsigned arithmetic `a - b <
/// 0` never holds, which would silently lose overlapping occurrences to the left.
using Index = std::int32_t;

/// The longest sequence an Index can address.
inline constexpr Index sequence_length_max = std::numeric_limits<Index>::max() - 1;

}  // namespace refrain::strings
