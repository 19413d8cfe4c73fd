#pragma once

#include "strings/index.hpp"
#include "strings/suffix_array.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace refrain::strings {

struct RepeatOptions {
    /// Repeats shorter than this are not looked for. At least 1.
    std::uint32_t length_min = 1;
    /// Repeats longer than this are cut into pieces of at most this length, each a repeat of its
    /// own. At least length_min.
    std::uint32_t length_max = std::numeric_limits<std::uint32_t>::max();
};

/// A substring and where it was found: at least two occurrences, ascending and disjoint.
struct Repeat {
    std::uint32_t begin;   ///< its first occurrence
    std::uint32_t length;  ///< in symbols
    std::span<const std::uint32_t> occurrences;
};

/// What one search found: distinct substrings, the longest first (pieces of a cut one in place),
/// all occurrences of all of them disjoint. Owns what its repeats point to; moving keeps them
/// valid.
class RepeatSet {
  public:
    RepeatSet() = default;
    RepeatSet(const RepeatSet&) = delete;
    RepeatSet& operator=(const RepeatSet&) = delete;
    RepeatSet(RepeatSet&&) = default;
    RepeatSet& operator=(RepeatSet&&) = default;
    ~RepeatSet() = default;

    [[nodiscard]] std::size_t size() const { return repeats_.size(); }
    [[nodiscard]] bool empty() const { return repeats_.empty(); }
    [[nodiscard]] const Repeat& operator[](std::size_t i) const { return repeats_[i]; }
    [[nodiscard]] auto begin() const { return repeats_.begin(); }
    [[nodiscard]] auto end() const { return repeats_.end(); }

    /// Symbols that lie in some occurrence.
    [[nodiscard]] std::size_t covered() const { return occurrences_covered_; }

  private:
    friend class RepeatFinder;

    std::vector<Repeat> repeats_;
    std::vector<std::uint32_t> occurrences_;
    std::size_t occurrences_covered_ = 0;
};

/// Finds non-overlapping repeats worth tracing; keeps its memory between calls.
///
/// find(aabcbcbaa) -> {aa at 0, 7}, {bc at 2, 4}
///
/// Each pair of neighbours in the suffix array, at positions s and s + d with a common prefix of
/// length p, proposes two occurrences of one substring:
///   d >= p   the prefix itself, at s and s + d;
///   d <  p   the two overlap, so S[s, s + d + p) has period d; as many whole periods as fit twice:
///            l = d * floor((p + d) / 2d), at s and s + l.
/// Proposals are taken by decreasing length, then content, then position, if they overlap nothing
/// taken before; a substring of which fewer than two occurrences could be taken is dropped and
/// blocks nothing.
///
/// Shapes:      symbols (n) -> distinct substrings with disjoint occurrences.
/// Errors:      std::invalid_argument for length_min == 0 or length_max < length_min;
///              std::length_error if n exceeds sequence_length_max.
/// Complexity:  O(n log n) time; see docs/algorithm2.md for the measured cost and memory. A second
///              search over at most as many symbols allocates nothing.
/// Threads:     one call at a time per finder; pure otherwise, runs on any worker.
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

    /// One proposed occurrence. Candidates of one length with equal content share `group`, the
    /// lowest rank of a suffix that starts with this content.
    struct Candidate {
        Index group;
        Index begin;
    };

    SuffixArrayBuilder suffix_array_;
    std::vector<Index> ranks_;
    std::vector<Index> lcp_;
    std::vector<Index> length_offsets_;
    std::vector<Candidate> candidates_;
    RepeatSet found_;
};

/// One search with a finder of its own; see RepeatFinder.
[[nodiscard]] RepeatSet find_repeats(std::span<const Symbol> symbols,
                                     const RepeatOptions& options = {});

}  // namespace refrain::strings
