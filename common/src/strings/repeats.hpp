#pragma once

#include "strings/index.hpp"
#include "strings/repeat_pieces.hpp"
#include "strings/repeat_set.hpp"
#include "strings/suffix_array.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace refrain::strings {

struct RepeatOptions {
    /// Length of the shortest repeat to find. At least 1.
    std::uint32_t length_min = 1;
    /// Longer repeats are cut into pieces of at most this length, each a repeat itself. At least
    /// length_min.
    std::uint32_t length_max = std::numeric_limits<std::uint32_t>::max();
};

/// Finds non-overlapping repeats worth tracing; keeps its memory between calls.
///
/// find(aabcbcbaa) -> {aa at 0, 7}, {bc at 2, 4}
///
/// Each pair of neighbours in the suffix array, at positions s and s + d with a common prefix of
/// length p, proposes two occurrences of one substring:
///   d >= p   the prefix itself, at s and s + d;
///   d <  p   the two overlap, so S[s, s + d + p) has period d; the most whole periods that fit
///            twice: l = d * floor((p + d) / 2d), at s and s + l.
/// Proposals are accepted by decreasing length, then content, then position, if they overlap no
/// accepted one; a substring with fewer than two accepted occurrences is dropped and blocks
/// nothing.
///
/// Shapes:      symbols (n) -> distinct substrings with disjoint occurrences.
/// Errors:      std::invalid_argument for length_min == 0 or length_max < length_min;
///              std::length_error if n exceeds sequence_length_max.
/// Complexity:  O(n log n) time; autotrace/docs/algorithm2.md has measured cost and memory. A
///              second search over at most as many symbols allocates nothing.
/// Threads:     one call at a time per finder, on any thread.
/// Source:      Yadav et al., "Automatic Tracing in Task-Based Runtime Systems", ASPLOS 2025,
///              Algorithm 2. Equal substrings are recognised by suffix rank, not by comparison.
class RepeatFinder {
  public:
    /// Valid until the next call.
    const RepeatSet& find(std::span<const Symbol> symbols, const RepeatOptions& options = {});

    /// Bytes held for the next call.
    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    friend RepeatSet find_repeats(std::span<const Symbol> symbols, const RepeatOptions& options);

    /// One proposed occurrence. Candidates with the same length and `content` are equal.
    struct Candidate {
        Index content;
        Index begin;
    };

    RepeatSet& search(std::span<const Symbol> symbols, const RepeatOptions& options);
    void prepare(std::span<const Symbol> symbols);
    template <class Use>
    void for_each_proposal(Index length_min, Use use) const;
    void collect_candidates(Index length_min);
    void choose_by_length(Index length_min);
    void choose(std::span<Candidate> candidates, Index length);

    SuffixArrayBuilder suffix_array_;
    std::span<const Index> suffixes_;  // owned by suffix_array_
    std::vector<Index> ranks_;
    std::vector<Index> lcp_;
    std::vector<Index> lower_;
    std::vector<std::size_t> length_ends_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint8_t> taken_;
    RepeatCutter cutter_;
    RepeatSet found_;
};

/// One search with a finder of its own; see RepeatFinder.
[[nodiscard]] RepeatSet find_repeats(std::span<const Symbol> symbols,
                                     const RepeatOptions& options = {});

}  // namespace refrain::strings
