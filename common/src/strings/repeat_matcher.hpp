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
/// moves along and grows, at the price of one comparison. Where there is none, or it fails, another
/// is *chosen*: the longest one of
///   - the newest occurrence of the last `length_max` symbols, and that of the last 64, which are
///     found by hashes of them;
///   - the newest occurrences of the last symbol, as many as a *credit* lets it look through.
///
/// The credit is at least 16, and grows by one per symbol up to 64. An occurrence takes 1 of it, and
/// one more for each 32 symbols of its match; so do symbols that share a bucket of the hash table
/// with the one looked for. An occurrence is *within reach* if those newer than it take at most 15.
///
/// What is guaranteed, if drop(), follow() and append_unmatched() are not called; C is `length_max`:
///
///   M1  Every match is true: all its symbols are equal, and none is a break.
///   M2  A symbol with an earlier occurrence within reach, less than `capacity` ago, is matched.
///
/// Let now the sequence be u x x x ..., with |x| = P and P + C at most the capacity, n >= |u| + P
/// a position, and t <= n the one at which the match at n was chosen.
///
///   M3  If t < |u| + P, or t - P is within reach at t, then the match at n has a length of at least
///       min(C, n + 1 - |u| - P).
///   M4  If t >= |u| + P + K - 1, K being C or 64, and no other K symbols that ended in (t - P, t)
///       have the same place in the table of hashes, it has a length of at least min(C, K).
///
/// So where choices are within reach, every match spans a period, or C symbols, from |u| + 2P - 1
/// on. They are if each symbol occurs at most 16 times in x and shares no bucket, and nowhere do 32
/// symbols come again after less than P. And whatever x is, every match has C symbols from
/// |u| + P + 2C - 1 on, which is no later if P >= 2C; except for places in the table that others
/// took: a choice meets that with a chance of about 1 - exp(-2P / capacity) at most, and the next
/// choice tries again.
///
/// M2 holds because the chain of a bucket has all its positions less than `capacity` ago, newest
/// first, and is followed until the credit is spent. Nobody can be earlier than |u| + P: before,
/// nothing of x has repeated.
///
/// M3. The match grew by one for each symbol since t, up to C. If t < |u| + P, that alone makes
/// 1 + n - t >= n + 2 - |u| - P. Else the source t - P was looked at, unless a match of C symbols was
/// found before. What t and t - P have in common is at least t + 1 - |u| - P long, and kept up to a
/// length of C, since P + C fit into the capacity. That was taken, or something at least as long.
///
/// M4. The K symbols that end at t also end at t - P, since t - P - K + 1 >= |u|. The table names the
/// newest position of those with their place, which by assumption is an occurrence of them; it lies
/// at t - P or later, so that C symbols before it are kept.
///
/// The last claim. If t >= |u| + P + C - 1, M4 says so. Else n - t >= C, and the match has grown so
/// much.
///
/// A function of the sequence alone: no clock, no randomness, no threads.
///
/// Shapes:      any sequence; `capacity` symbols of it are kept.
/// Complexity:  a symbol as predicted: O(1). Another one: at most 64 occurrences looked through and
///              3C + 2048 symbols compared; O(1) where matches are short. 15 bytes per symbol of the
///              capacity.
/// Source:      the hash chains of LZ77 compressors; DEFLATE (RFC 1951, Section 4) looks for the
///              longest match in the same way.
class RepeatMatcher {
  public:
    /// Counts symbols and breaks from 0.
    using Position = std::uint64_t;

    struct Options {
        unsigned capacity_log2 = 16;      // 4 to 24
        std::uint32_t length_max = 2048;  // no longer match is told from one of this length
    };
    struct Match {
        Position source;
        std::uint32_t length;  // at least 1
        friend bool operator==(const Match&, const Match&) = default;
    };

    explicit RepeatMatcher(Options options);

    /// Where the symbol lies that the next one is expected to equal; none without a source.
    [[nodiscard]] std::optional<Position> predicted() const {
        if (distance_ == 0) return std::nullopt;
        return end_ - distance_;
    }
    /// Appends the symbol that was predicted.
    void append_predicted() {
        REFRAIN_ASSERT(distance_ != 0, "nothing was predicted");
        push(symbols_[(end_ - distance_) & mask_]);
        if (length_ < options_.length_max) ++length_;
    }
    /// Appends any symbol.
    void append(Symbol symbol) {
        const Symbol kept = symbol + 1;
        if (kept == break_symbol) return append_break();
        if (distance_ != 0 && symbols_[(end_ - distance_) & mask_] == kept)
            return append_predicted();
        choose(push(kept));
    }
    /// Appends any symbol without looking where it occurred before: it has no match.
    void append_unmatched(Symbol symbol) {
        push(symbol + 1);
        drop();
    }
    /// Appends something that equals nothing, not even another break.
    void append_break() {
        push(break_symbol);
        drop();
    }
    /// Gives up the present match: it turned out to be of no use.
    void drop() { length_ = 0, distance_ = 0; }
    /// Takes another source for the newest symbol, which need not equal that one: the match has a
    /// length of 0, and predicts what lies behind its source. `source` is kept, and earlier.
    void follow(Position source) {
        REFRAIN_ASSERT(source + 1 < end_ && end_ - 1 - source <= mask_, "the source is not kept");
        length_ = 0;
        distance_ = end_ - 1 - source;
    }

    /// The match of the newest symbol; none if it has not been seen before.
    [[nodiscard]] std::optional<Match> match() const {
        if (length_ == 0) return std::nullopt;
        return Match{end_ - 1 - distance_, length_};
    }
    /// Symbols and breaks so far.
    [[nodiscard]] Position end() const { return end_; }
    [[nodiscard]] std::size_t capacity() const { return symbols_.size(); }
    [[nodiscard]] std::size_t memory_bytes() const;
    /// Whether looking for one of the symbols meets the other, too.
    [[nodiscard]] bool shares_bucket(Symbol a, Symbol b) const {
        return bucket(a + 1) == bucket(b + 1);
    }

  private:
    /// Symbols are kept plus one, so that 0 is free: the largest symbol is like a break.
    static constexpr Symbol break_symbol = 0;
    static constexpr std::uint32_t credit_min = 16;
    static constexpr std::uint32_t credit_max = 64;
    static constexpr std::uint32_t credit_per_symbol = 1;
    static constexpr std::uint32_t symbols_per_credit = 32;
    static constexpr std::uint32_t gram_symbols = 64;            // bits of gram_
    static constexpr std::uint64_t spread = 0x9e3779b97f4a7c15;  // odd, as is the next
    static constexpr std::uint64_t radix = 0xd6e8feb86659fd93;

    /// Positions, their lower halves, at which the newest symbols might have stood before.
    struct Places {
        std::uint32_t window, gram;
    };

    Places push(Symbol kept);
    void choose(Places places);
    void follow_chain();
    std::uint32_t consider(std::uint64_t age);
    [[nodiscard]] std::uint64_t age_of(std::uint32_t position) const;
    [[nodiscard]] std::uint32_t common_suffix(Position a, Position b) const;
    [[nodiscard]] Symbol at(Position position) const { return symbols_[position & mask_]; }
    [[nodiscard]] std::size_t bucket(Symbol kept) const {
        return (kept * 0x9e3779b1U) >> bucket_shift_;
    }

    Options options_;
    std::uint64_t mask_;
    std::uint64_t window_symbols_;  // length_max, or the capacity if that is less
    std::uint64_t leaving_;         // the factor in window_ of the symbol that leaves it
    unsigned bucket_shift_, window_shift_, gram_shift_;
    std::vector<Symbol> symbols_;        // ring, by position
    std::vector<std::uint32_t> newest_;  // by bucket: a position, its lower half
    std::vector<std::uint32_t> before_;  // ring: the position before in the same bucket
    std::vector<std::uint32_t>
        newest_window_;                       // by hash of the last length_max symbols, as newest_
    std::vector<std::uint32_t> newest_gram_;  // by hash of the last 64 symbols
    std::uint64_t window_ = 0;                // the last length_max symbols as digits
    std::uint64_t gram_ = 0;                  // of the last 64: older ones are shifted out
    Position end_ = 0;
    std::uint64_t distance_ = 0;  // of the source; 0: none
    std::uint32_t length_ = 0;    // of the match
    std::uint32_t credit_ = credit_min;
};

inline RepeatMatcher::Places RepeatMatcher::push(Symbol kept) {
    const auto now = static_cast<std::uint32_t>(end_);
    window_ = window_ * radix + kept - leaving_ * at(end_ - window_symbols_);
    gram_ = (gram_ << 1) + kept * spread;
    std::uint32_t& window = newest_window_[(window_ * spread) >> window_shift_];
    std::uint32_t& gram = newest_gram_[gram_ >> gram_shift_];
    const Places places{window, gram};
    window = gram = now;
    symbols_[end_ & mask_] = kept;
    std::uint32_t& newest = newest_[bucket(kept)];
    before_[end_ & mask_] = newest;
    newest = now;
    ++end_;
    if (credit_ < credit_max) credit_ += credit_per_symbol;
    return places;
}

}  // namespace refrain::strings
