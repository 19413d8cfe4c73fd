#include "strings/repeat_pieces.hpp"

#include <algorithm>
#include <tuple>

namespace refrain::strings {
namespace {

/// The length of the next piece of the remaining `rest` symbols; 0 if they are too few.
std::uint32_t next_piece(std::uint32_t rest, const PieceLimits& limits) {
    if (rest < limits.length_min) return 0;
    if (rest <= limits.length_max) return rest;
    const std::uint32_t after = rest - limits.length_max;
    if (after >= limits.length_min) return limits.length_max;
    const std::uint32_t shortened = rest - limits.length_min;
    return shortened >= limits.length_min ? shortened : limits.length_max;
}

}  // namespace

RepeatSet& RepeatCutter::cut(std::span<const Symbol> symbols, std::span<const Index> ranks,
                             const RepeatSet& repeats, const PieceLimits& limits) {
    list_pieces(repeats, limits);
    join_equal_pieces(symbols, ranks, repeats);
    publish(repeats, symbols.size() / limits.length_min);
    return cut_;
}

void RepeatCutter::list_pieces(const RepeatSet& repeats, const PieceLimits& limits) {
    pieces_.clear();
    for (std::uint32_t repeat = 0; repeat < repeats.size(); ++repeat) {
        const std::uint32_t length = repeats[repeat].length;
        std::uint32_t offset = 0;
        while (const std::uint32_t piece = next_piece(length - offset, limits)) {
            pieces_.push_back({repeat, offset, piece, static_cast<std::uint32_t>(pieces_.size())});
            offset += piece;
        }
    }
}

/// Among pieces of one length, equal ones are neighbours by suffix rank, so one comparison per
/// piece suffices. Afterwards equal pieces are neighbours in `order_`, the earliest first.
void RepeatCutter::join_equal_pieces(std::span<const Symbol> symbols, std::span<const Index> ranks,
                                     const RepeatSet& repeats) {
    const auto begin = [&](const Piece& piece) {
        return repeats[piece.repeat].begin + piece.offset;
    };
    order_.resize(pieces_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(pieces_[a].length, ranks[begin(pieces_[a])]) <
               std::tuple(pieces_[b].length, ranks[begin(pieces_[b])]);
    });
    const auto equal = [&](const Piece& a, const Piece& b) {
        return a.length == b.length && std::ranges::equal(symbols.subspan(begin(a), a.length),
                                                          symbols.subspan(begin(b), b.length));
    };
    for (std::size_t i = 0; i < order_.size();) {
        std::size_t end = i + 1;
        std::uint32_t earliest = order_[i];
        while (end < order_.size() && equal(pieces_[order_[end - 1]], pieces_[order_[end]])) {
            earliest = std::min(earliest, order_[end++]);
        }
        for (; i < end; ++i) pieces_[order_[i]].earliest = earliest;
    }
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(pieces_[a].earliest, a) < std::tuple(pieces_[b].earliest, b);
    });
}

void RepeatCutter::publish(const RepeatSet& repeats, std::size_t occurrences_max) {
    cut_.clear(occurrences_max);
    for (std::size_t i = 0; i < order_.size();) {
        const Piece& first = pieces_[order_[i]];
        for (; i < order_.size() && pieces_[order_[i]].earliest == first.earliest; ++i) {
            const Piece& piece = pieces_[order_[i]];
            for (const std::uint32_t occurrence : repeats[piece.repeat].occurrences) {
                cut_.add_occurrence(occurrence + piece.offset);
            }
        }
        std::sort(cut_.pending().begin(), cut_.pending().end());
        cut_.add_repeat(first.length);
    }
}

std::size_t RepeatCutter::memory_bytes() const {
    return pieces_.capacity() * sizeof(Piece) + order_.capacity() * sizeof(std::uint32_t) +
           cut_.memory_bytes();
}

}  // namespace refrain::strings
