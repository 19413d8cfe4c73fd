#pragma once

#include "base/assertion.hpp"
#include "strings/index.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace refrain::strings {

/// Finds the longest match of a growing sequence with its own past.
///
/// A *match* says that the newest symbols equal those that end at an earlier position, its
/// *source*:
///
///     a b c x a b c       position 6 (c) matches source 2, length 3
///     0 1 2 3 4 5 6
///
/// A match predicts that the next symbol equals the one after its source. While predictions hold,
/// the match advances and grows, at the cost of one comparison. Without a match, or when a
/// prediction fails, the matcher *chooses* a new one: the longest of
///   - the newest occurrence of the last `length_max` symbols and that of the last 64, both found
///     by hash;
///   - the newest occurrences of the last symbol, as many as the *credit* pays for.
///
/// The credit is at least 16 and grows by one per symbol up to 64. Examining an occurrence costs 1,
/// and 1 more per 32 symbols of its match; a different symbol in the same bucket of the hash table
/// costs 1. An occurrence is *reachable* if everything newer in its bucket costs at most 15
/// together.
///
/// Guarantees, unless drop(), follow() or append_unmatched() is called; C is `length_max`:
///
///   M1  Every match is true: all its symbols are equal, and none is a break.
///   M2  A symbol with a reachable earlier occurrence, less than `capacity` ago, is matched.
///
/// For M3 and M4, let the sequence be u x x x ..., with |x| = P and P + C at most the capacity, let
/// n >= |u| + P be a position, and t <= n the position at which the match at n was chosen.
///
///   M3  If t < |u| + P, or t - P is reachable at t, then the match at n has a length of at least
///       min(C, n + 1 - |u| - P).
///   M4  If t >= |u| + P + K - 1, where K is C or 64, and no other K symbols that ended in
///       (t - P, t) have the same slot in the table of hashes, then the match at n has a length of
///       at least min(C, K).
///
/// Hence, where the sources are reachable, every match from |u| + 2P - 1 on spans a period or C
/// symbols. Sources are reachable if each symbol occurs at most 16 times in x and shares no bucket,
/// and no 32 symbols repeat at a distance of less than P. And for any x, every match from
/// |u| + P + 2C - 1 on has C symbols (which is no later if P >= 2C), unless other symbols took the
/// slot in the table: that happens to one choice with a probability of at most about
/// 1 - exp(-2P / capacity), and the next choice tries again.
///
/// The bound |u| + P cannot be improved: before it, nothing of x has repeated.
///
/// M2 holds because the chain of a bucket has all its positions less than `capacity` ago, newest
/// first, and is followed until the credit is spent.
///
/// M3. The match has grown by one for each symbol since t, up to C. If t < |u| + P, that alone
/// gives a length of 1 + n - t >= n + 2 - |u| - P. Otherwise the source t - P was examined, unless
/// a match of C symbols was found first. The common suffix at t and t - P has at least t + 1 - |u|
/// - P symbols, of which C are kept, since P + C fit into the capacity. The matcher chose that
///   source or
/// one with a match at least as long.
///
/// M4. The K symbols that end at t also end at t - P, since t - P - K + 1 >= |u|. The slot holds
/// the newest position whose K symbols have that slot, by assumption an occurrence of these K
/// symbols; it is t - P or later, so C symbols before it are kept.
///
/// The claim for any x. If t >= |u| + P + C - 1, it is M4. Otherwise n - t >= C, and the match has
/// grown to C symbols since.
///
/// All answers are a function of the sequence alone: no clock, no randomness, no threads.
///
/// Shapes:      any sequence, of which the newest `capacity` symbols are kept.
/// Complexity:  a predicted symbol: O(1). Another one: examines at most 64 occurrences and compares
///              3C + 2048 symbols; O(1) where matches are short. 15 bytes per symbol of the
///              capacity.
/// Source:      the hash chains of LZ77 compressors; DEFLATE (RFC 1951, Section 4) searches for the
///              longest match in the same way.
class RepeatMatcher {
  public:
    /// Index of a symbol or break, from 0.
    using Position = std::uint64_t;

    struct Options {
        unsigned capacity_log2 = 16;      // 4 to 24
        std::uint32_t length_max = 2048;  // lengths are counted up to here
    };
    struct Match {
        Position source;
        std::uint32_t length;  // at least 1
        friend bool operator==(const Match&, const Match&) = default;
    };

    explicit RepeatMatcher(Options options);

    /// The position whose symbol the next one is expected to equal; none without a source.
    [[nodiscard]] std::optional<Position> predicted() const {
        if (distance_ == 0) return std::nullopt;
        return end_ - distance_;
    }
    /// Appends the predicted symbol.
    void append_predicted() {
        REFRAIN_ASSERT(distance_ != 0, "nothing was predicted");
        places_ = push(symbols_[(end_ - distance_) & mask_]);
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
    /// Appends any symbol without searching for a match.
    void append_unmatched(Symbol symbol) {
        push(symbol + 1);
        drop();
    }
    /// Appends a break, which equals no symbol and no other break.
    void append_break() {
        push(break_symbol);
        drop();
    }
    /// A more recent source of the newest `length_max` symbols than that of the match, which has as many: where
    /// a loop goes round for long inside of a longer one, that of the inner loop. It is found if the newest symbol was
    /// predicted and both tables of hashes name it; as a rule nothing is compared otherwise.
    [[nodiscard]] std::optional<Position> newer_source() const;
    /// Replaces the source of the match by that one.
    void adopt(Position newer_source) {
        REFRAIN_ASSERT(length_ == options_.length_max && newer_source < end_ - 1 &&
                           end_ - 1 - newer_source < distance_,
                       "no newer source of the match");
        distance_ = end_ - 1 - newer_source;
    }
    /// Gives up the current match.
    void drop() { length_ = 0, distance_ = 0; }
    /// Replaces the match by one with this source and length 0: the newest symbol need not equal
    /// the source, but the next one is predicted from it. `source` must be earlier and still kept.
    void follow(Position source) {
        REFRAIN_ASSERT(source + 1 < end_ && end_ - 1 - source <= mask_, "the source is not kept");
        length_ = 0;
        distance_ = end_ - 1 - source;
    }

    /// The match of the newest symbol, if there is one.
    [[nodiscard]] std::optional<Match> match() const {
        if (length_ == 0) return std::nullopt;
        return Match{end_ - 1 - distance_, length_};
    }
    /// The number of symbols and breaks so far.
    [[nodiscard]] Position end() const { return end_; }
    [[nodiscard]] std::size_t capacity() const { return symbols_.size(); }
    [[nodiscard]] std::size_t memory_bytes() const;
    /// Whether a search for one symbol also examines occurrences of the other.
    [[nodiscard]] bool shares_bucket(Symbol a, Symbol b) const {
        return bucket(a + 1) == bucket(b + 1);
    }

  private:
    /// Symbols are stored plus one, so that 0 is free. The largest symbol thus acts as a break.
    static constexpr Symbol break_symbol = 0;
    static constexpr std::uint32_t credit_min = 16;
    static constexpr std::uint32_t credit_max = 64;
    static constexpr std::uint32_t credit_per_symbol = 1;
    static constexpr std::uint32_t symbols_per_credit = 32;
    static constexpr std::uint32_t gram_symbols = 64;            // bits of gram_
    static constexpr std::uint64_t spread = 0x9e3779b97f4a7c15;  // odd, as is the next
    static constexpr std::uint64_t radix = 0xd6e8feb86659fd93;

    /// Lower halves of the positions at which the newest symbols may have occurred before.
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
    std::uint64_t window_symbols_;  // length_max or the capacity, whichever is less
    std::uint64_t leaving_;         // factor in window_ of the symbol that leaves it
    unsigned bucket_shift_, window_shift_, gram_shift_;
    std::vector<Symbol> symbols_;               // ring, by position
    std::vector<std::uint32_t> newest_;         // by bucket: lower half of its newest position
    std::vector<std::uint32_t> before_;         // ring: the previous position in the same bucket
    std::vector<std::uint32_t> newest_window_;  // by hash of the last length_max symbols
    std::vector<std::uint32_t> newest_gram_;    // by hash of the last 64 symbols
    std::uint64_t window_ = 0;                  // rolling hash of the last length_max symbols
    std::uint64_t gram_ = 0;                    // of the last 64; older ones are shifted out
    Places places_{};                           // of the newest symbol that was predicted
    Position end_ = 0;
    std::uint64_t distance_ = 0;  // from the newest symbol back to the source; 0: none
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
