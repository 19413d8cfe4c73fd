#pragma once

#include "strings/index.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace refrain::strings {

/// A match of one trace: symbols [begin, begin + length) of the string equal the trace.
struct Match {
    Index begin;
    Index length;
    Index trace;  ///< index into the set of traces
    friend bool operator==(const Match&, const Match&) = default;
};

/// A matching of traces to a string: disjoint intervals, ascending.
using Matching = std::vector<Match>;

/// The number of covered symbols. Matches are disjoint, so it is the sum of their lengths.
[[nodiscard]] std::size_t coverage(const Matching& matching);

/// Whether the matches are ascending, disjoint, inside the string, and equal to their traces.
[[nodiscard]] bool is_matching(std::span<const Symbol> symbols,
                               std::span<const std::vector<Symbol>> traces,
                               const Matching& matching);

/// A matching of these traces with the largest coverage and, among those, the fewest matches.
///
/// ababcab, {ab, abc} -> ab at 0, abc at 2, ab at 5: coverage 7
///
/// Shapes:      symbols (n), any number of traces of any length.
/// Complexity:  O(n * total length of the traces).
/// Source:      Yadav et al., ASPLOS 2025, Section 3, for a given set of traces.
[[nodiscard]] Matching best_matching(std::span<const Symbol> symbols,
                                     std::span<const std::vector<Symbol>> traces);

struct OptimalCoverage {
    std::size_t covered;
    Matching matching;
    std::vector<std::vector<Symbol>> traces;
};

/// The largest coverage of any set of traces in which each trace is at least `length_min` long and
/// matched at least twice (otherwise the string itself, matched once, would always win).
///
/// aabcbcbaa, length_min 2 -> covered 8: aa at 0, 7 and bc at 2, 4; the b at 6 is not covered.
///
/// Traces of 2 * length_min symbols or more need not be tried: their halves cover the same.
///
/// Complexity:  exponential in n; meant for strings of up to about 20 symbols, as an oracle.
/// Source:      Yadav et al., ASPLOS 2025, Section 3.
[[nodiscard]] OptimalCoverage optimal_coverage(std::span<const Symbol> symbols, Index length_min);

}  // namespace refrain::strings
