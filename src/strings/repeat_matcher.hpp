#pragma once

#include "base/assertion.hpp"
#include "strings/index.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace refrain::strings {

/// Compares a sequence with its own past while it grows.
///
/// A *match* says that the newest symbols equal those that end at an earlier position, the *source*:
///
///     a b c x a b c       position 6 (c) matches source 2, length 3
///     0 1 2 3 4 5 6
///
/// It predicts the next symbol: the one behind the source. As long as predictions hold, the match
/// moves along and grows, at the price of one comparison. Where one fails, the places where the new
/// symbol occurred before are looked through, newest first, and the one with the longest match is
/// taken.
///
/// What it guarantees. Let C be `length_max`, and let "seen" mean seen within the last `capacity`
/// symbols.
///   M1  Every match is true: the symbols are equal, all of them.
///   M2  A symbol that was seen before is matched. So in u x x x ..., with |x| = P below the
///       capacity, every symbol from |u| + P on is matched.
///   M3  There, the match at position n has a length of at least min(C, n + 1 - |u| - P), if no
///       prediction failed at a symbol that occurred more often in the period before than could be
///       looked through. So from |u| + 2P on it spans a period, or C symbols.
///
/// M3 is shown by induction over n. If the match was chosen at n, the source n - P was looked at or
/// a longer match was found before; its length is n + 1 - |u| - P at least, cut at C. If it was
/// chosen at t < n and its prediction held since, it has grown by n - t. For t >= |u| + P its length
/// at t was at least min(C, t + 1 - |u| - P), by the case above; for t < |u| + P the growth alone is
/// n - t >= n + 1 - |u| - P. No earlier recogniser can do better than M2: at |u| + P - 1 nothing of x
/// has repeated.
///
/// How many occurrences are looked through is bounded by a credit: 16, and one more for each symbol
/// since credit was spent, up to 64. So the cost is bounded for every sequence.
///
/// A function of the sequence alone: no clock, no randomness, no threads.
///
/// Shapes:      any sequence; `capacity` symbols of it are kept.
/// Complexity:  a symbol as predicted: O(1). Another one: the occurrences looked through, each
///              compared up to C symbols; amortised O(C) at worst, O(1) where matches are short.
///              12 bytes per symbol of the capacity.
/// Source:      the hash chains of LZ77 compressors; DEFLATE (RFC 1951, Section 4) looks for the
///              longest match in the same way.
class RepeatMatcher {
  public:
    /// Counts symbols and breaks from 0.
    using Position = std::uint64_t;

    struct Options {
        unsigned capacity_log2 = 16;    // 4 to 24
        std::uint32_t length_max = 2048;  // no longer match is told from one of this length
    };
    struct Match {
        Position source;
        std::uint32_t length;  // at least 1
        friend bool operator==(const Match&, const Match&) = default;
    };

    explicit RepeatMatcher(Options options);

    /// Where the symbol lies that the next one is expected to equal; none without a match.
    [[nodiscard]] std::optional<Position> predicted() const {
        if (length_ == 0) return std::nullopt;
        return end_ - distance_;
    }
    /// Appends the symbol that was predicted.
    void append_predicted() {
        REFRAIN_ASSERT(length_ != 0, "nothing was predicted");
        push(symbols_[(end_ - distance_) & mask_]);
        if (length_ < options_.length_max) ++length_;
    }
    /// Appends any symbol.
    void append(Symbol symbol) {
        const Symbol kept = symbol + 1;
        if (kept == break_symbol) return append_break();
        if (length_ != 0 && symbols_[(end_ - distance_) & mask_] == kept) return append_predicted();
        push(kept);
        choose();
    }
    /// Appends something that equals nothing, not even another break.
    void append_break() {
        push(break_symbol);
        length_ = 0;
    }
    /// Gives up the present match: it turned out to be of no use.
    void drop() { length_ = 0; }

    /// The match of the newest symbol; none if it has not been seen before.
    [[nodiscard]] std::optional<Match> match() const {
        if (length_ == 0) return std::nullopt;
        return Match{end_ - 1 - distance_, length_};
    }
    /// Symbols and breaks so far.
    [[nodiscard]] Position end() const { return end_; }
    [[nodiscard]] std::size_t capacity() const { return symbols_.size(); }
    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    /// Symbols are kept plus one, so that 0 is free: the largest symbol is like a break.
    static constexpr Symbol break_symbol = 0;
    static constexpr std::uint32_t credit_min = 16;
    static constexpr std::uint32_t credit_max = 64;
    static constexpr std::uint32_t credit_per_symbol = 1;
    static constexpr std::uint32_t symbols_per_credit = 32;

    void push(Symbol kept);
    void choose();
    [[nodiscard]] std::uint32_t common_suffix(Position a, Position b) const;
    [[nodiscard]] Symbol at(Position position) const { return symbols_[position & mask_]; }
    [[nodiscard]] std::size_t bucket(Symbol kept) const {
        return (kept * 0x9e3779b1U) >> bucket_shift_;
    }

    Options options_;
    std::uint64_t mask_;
    unsigned bucket_shift_;
    std::vector<Symbol> symbols_;        // ring, by position
    std::vector<std::uint32_t> newest_;  // by bucket: a position, its lower half
    std::vector<std::uint32_t> before_;  // ring: the position before in the same bucket
    Position end_ = 0;
    std::uint64_t distance_ = 0;  // of the match
    std::uint32_t length_ = 0;    // of the match; 0: none
    std::uint32_t credit_ = credit_min;
};

inline void RepeatMatcher::push(Symbol kept) {
    const auto now = static_cast<std::uint32_t>(end_);
    symbols_[end_ & mask_] = kept;
    std::uint32_t& newest = newest_[bucket(kept)];
    before_[end_ & mask_] = newest;
    newest = now;
    ++end_;
    if (credit_ < credit_max) credit_ += credit_per_symbol;
}

}  // namespace refrain::strings
