#pragma once

#include "strings/index.hpp"
#include "strings/rank_compression.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::strings {

/// Sorts the suffixes of a sequence; keeps its memory between calls.
///
/// build(banana) -> {5, 3, 1, 0, 4, 2}: a < ana < anana < banana < na < nana
///
/// Shapes:      symbols (n) -> suffixes (n), a permutation of [0, n); a suffix that is a prefix of
///              another comes before it. Symbols may be any; large ones are replaced by their
///              ranks.
/// Errors:      std::length_error if n exceeds sequence_length_max.
/// Complexity:  O(n) time; besides the result, 8.25 bytes per token and 8 bytes per symbol of the
///              alphabet, and 36 bytes more per token if ranks are needed; kept for the next call.
/// Threads:     one call at a time per builder.
/// Source:      Nong, Zhang, Chan, "Linear Suffix Array Construction by Almost Pure
///              Induced-Sorting", DCC 2009.
class SuffixArrayBuilder {
  public:
    /// The sorted suffixes, valid until the next call.
    std::span<const Index> build(std::span<const Symbol> symbols);

    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    RankCompressor compressor_;
    std::vector<Index> suffixes_;
    std::vector<std::uint64_t> type_words_;
    std::vector<Index> buckets_;
};

/// The suffix array of one sequence; see SuffixArrayBuilder.
[[nodiscard]] std::vector<Index> suffix_array(std::span<const Symbol> symbols);

}  // namespace refrain::strings
