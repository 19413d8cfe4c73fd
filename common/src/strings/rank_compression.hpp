#pragma once

#include "strings/index.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::strings {

/// Replaces arbitrary integers by their ranks among the distinct values; keeps its memory.
///
/// compress({70, 10, 70, 42}) -> {2, 0, 2, 1}, distinct() == 3
///
/// Ranks preserve order: a < b exactly if rank(a) < rank(b), so suffixes sort as before.
///
/// Shapes:      values (n) -> ranks (n) in [0, distinct()), valid until the next call.
/// Errors:      std::length_error if n exceeds sequence_length_max.
/// Complexity:  O(n) time (radix sort, constant bytes skipped), 36 bytes a value.
/// Threads:     one call at a time per compressor.
class RankCompressor {
  public:
    std::span<const Symbol> compress(std::span<const std::uint64_t> values);
    std::span<const Symbol> compress(std::span<const std::uint32_t> values);

    /// The number of distinct values in the last call.
    [[nodiscard]] Symbol distinct() const { return distinct_; }

    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    struct Entry {
        std::uint64_t value;
        Index position;
    };

    template <class Value>
    std::span<const Symbol> compress_values(std::span<const Value> values);
    void sort_entries();
    void assign_ranks();

    std::vector<Entry> entries_;
    std::vector<Entry> sorted_;
    std::vector<Symbol> ranks_;
    Symbol distinct_ = 0;
};

}  // namespace refrain::strings
