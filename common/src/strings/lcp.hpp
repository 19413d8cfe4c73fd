#pragma once

#include "strings/index.hpp"

#include <span>
#include <vector>

namespace refrain::strings {

/// The inverse of a suffix array: ranks[suffixes[i]] == i.
///
/// Shapes:      suffixes (n), a permutation of [0, n) -> ranks (n).
/// Complexity:  O(n).
void invert_suffix_array(std::span<const Index> suffixes, std::span<Index> ranks);

/// The lengths of the common prefixes of neighbours in the suffix array.
///
/// banana, suffixes {5, 3, 1, 0, 4, 2} -> {1, 3, 0, 0, 2}: a|ana share 1, ana|anana share 3, ...
///
/// Shapes:      symbols (n), suffixes (n), ranks (n) -> lcp (max(n, 1) - 1);
///              lcp[i] compares suffixes[i] with suffixes[i + 1].
/// Complexity:  O(n) time, no memory of its own.
/// Source:      Kasai et al., "Linear-Time Longest-Common-Prefix Computation in Suffix Arrays",
///              2001.
void longest_common_prefixes(std::span<const Symbol> symbols, std::span<const Index> suffixes,
                             std::span<const Index> ranks, std::span<Index> lcp);

/// The same for one sequence; computes the ranks itself.
[[nodiscard]] std::vector<Index> longest_common_prefixes(std::span<const Symbol> symbols,
                                                         std::span<const Index> suffixes);

}  // namespace refrain::strings
