#pragma once

#include "strings/index.hpp"
#include "strings/repeat_set.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::strings {

struct PieceLimits {
    std::uint32_t length_min;
    std::uint32_t length_max;
};

/// Cuts long repeats into pieces, each a repeat itself; keeps its memory between calls.
///
/// {abcab at 0, 9}, length_min 1, length_max 2 -> {ab at 0, 9}, {ca at 2, 11}, {b at 4, 13}
///
/// All pieces but the last two have length_max symbols. A remainder shorter than length_min is
/// extended at the expense of the piece before it, or dropped if that would make the piece too
/// short. Pieces with equal content become one repeat, in the place of the first.
///
/// Shapes:      symbols (n), ranks (n) of its suffixes, repeats -> repeats within the limits.
/// Complexity:  O(n + p log p) time for p pieces.
/// Threads:     one call at a time per cutter.
class RepeatCutter {
  public:
    /// Valid until the next call.
    RepeatSet& cut(std::span<const Symbol> symbols, std::span<const Index> ranks,
                   const RepeatSet& repeats, const PieceLimits& limits);

    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    /// Symbols [offset, offset + length) of each occurrence of a repeat. `earliest` is the first
    /// piece with equal content.
    struct Piece {
        std::uint32_t repeat;
        std::uint32_t offset;
        std::uint32_t length;
        std::uint32_t earliest;
    };

    void list_pieces(const RepeatSet& repeats, const PieceLimits& limits);
    void join_equal_pieces(std::span<const Symbol> symbols, std::span<const Index> ranks,
                           const RepeatSet& repeats);
    void publish(const RepeatSet& repeats, std::size_t occurrences_max);

    std::vector<Piece> pieces_;
    std::vector<std::uint32_t> order_;
    RepeatSet cut_;
};

}  // namespace refrain::strings
