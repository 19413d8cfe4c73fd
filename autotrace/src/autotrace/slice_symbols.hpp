#pragma once

#include "autotrace/history.hpp"
#include "base/assertion.hpp"
#include "base/hash.hpp"
#include "strings/index.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::autotrace {

/// Numbers the tokens of a slice by first appearance; each break gets its own number. Keeps its
/// memory between calls.
///
/// tokens 7 9 7 break 7 -> symbols 0 1 0 2 0
///
/// Tokens are compared in full; the hash only finds the slot to compare with.
class SliceSymbols {
  public:
    /// The symbols of [begin, end), valid until the next call. `breaks` are the breaks in this
    /// range.
    std::span<const strings::Symbol> number(const History& history, Position begin, Position end,
                                            std::span<const Position> breaks) {
        REFRAIN_ASSERT(begin <= end, "a slice ends before it begins");
        prepare(end - begin);
        std::size_t next_break = 0;
        for (Position at = begin; at < end; ++at) {
            const bool is_break = next_break < breaks.size() && breaks[next_break] == at;
            next_break += is_break;
            symbols_.push_back(is_break ? distinct_++ : number_of(history, begin, history[at]));
        }
        REFRAIN_ASSERT(next_break == breaks.size(), "a break lies outside of its slice");
        return symbols_;
    }

    [[nodiscard]] std::size_t memory_bytes() const {
        return symbols_.capacity() * sizeof(symbols_[0]) + places_.capacity() * sizeof(Place);
    }

  private:
    struct Place {
        std::uint32_t first_plus_one;  ///< offset of the first token with this number; 0: free
        strings::Symbol symbol;
    };

    void prepare(std::size_t count) {
        symbols_.clear();
        symbols_.reserve(count);
        distinct_ = 0;
        places_.assign(std::bit_ceil(2 * count + 1), Place{});
    }

    strings::Symbol number_of(const History& history, Position begin, const Token& token) {
        const std::size_t mask = places_.size() - 1;
        for (std::size_t at = base::mix(token.low ^ (token.high * 3)) & mask;;
             at = (at + 1) & mask) {
            Place& place = places_[at];
            if (place.first_plus_one == 0) {
                place = {static_cast<std::uint32_t>(symbols_.size() + 1), distinct_};
                return distinct_++;
            }
            if (history[begin + place.first_plus_one - 1] == token) return place.symbol;
        }
    }

    std::vector<strings::Symbol> symbols_;
    std::vector<Place> places_;
    strings::Symbol distinct_ = 0;
};

}  // namespace refrain::autotrace
