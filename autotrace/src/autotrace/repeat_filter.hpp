#pragma once

#include "autotrace/history.hpp"
#include "base/hash.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::autotrace {

/// Excludes cheaply that a slice has a repeat; then it need not be mined.
///
/// Each token sets one bit, chosen by its hash, in a table with 16 bits per token. At the second
/// occurrence of a string the bits of all its tokens are already set. So if no `length` consecutive
/// tokens find their bits set, no string of that length occurs twice. The converse need not hold,
/// since different tokens may share a bit: false is certain, true is not.
///
/// Complexity:  O(n), about 2 ns per token; ends at the first string that may repeat.
class RepeatFilter {
  public:
    [[nodiscard]] bool may_repeat(const History& history, Position begin, Position end,
                                  std::size_t length) {
        words_.assign(std::bit_ceil((end - begin) / 4 + 1), 0);
        const std::size_t mask = words_.size() - 1;
        std::size_t seen_in_a_row = 0;
        for (Position at = begin; at < end; ++at) {
            const Token& token = history[at];
            const std::uint64_t hash = base::mix(token.low ^ (token.high * 3));
            std::uint64_t& word = words_[(hash >> 6) & mask];
            const std::uint64_t bit = std::uint64_t{1} << (hash & 63);
            seen_in_a_row = (word & bit) != 0 ? seen_in_a_row + 1 : 0;
            if (seen_in_a_row >= length) return true;
            word |= bit;
        }
        return false;
    }

    [[nodiscard]] std::size_t memory_bytes() const {
        return words_.capacity() * sizeof(std::uint64_t);
    }

  private:
    std::vector<std::uint64_t> words_;
};

}  // namespace refrain::autotrace
