#include "strings/repeat_matcher.hpp"

#include <algorithm>

namespace refrain::strings {
namespace {

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1, base *= base)
        if ((exponent & 1) != 0) result *= base;
    return result;
}

}  // namespace

RepeatMatcher::RepeatMatcher(Options options)
    : options_(options),
      mask_((std::uint64_t{1} << options.capacity_log2) - 1),
      window_symbols_(std::min<std::uint64_t>(options.length_max, mask_ + 1)),
      leaving_(power(radix, window_symbols_)),
      bucket_shift_(32 - options.capacity_log2),
      window_shift_(64 - (options.capacity_log2 - 1)),
      gram_shift_(64 - (options.capacity_log2 - 2)),
      symbols_(std::size_t{1} << options.capacity_log2, break_symbol),
      newest_(symbols_.size()),
      before_(symbols_.size()),
      newest_window_(symbols_.size() / 2),
      newest_gram_(symbols_.size() / 4) {
    REFRAIN_ASSERT(options.capacity_log2 >= 4 && options.capacity_log2 <= 24,
                   "capacities are 16 to 16,777,216 symbols");
    REFRAIN_ASSERT(options.length_max >= 1, "a match has a symbol");
}

void RepeatMatcher::choose(Places places) {
    drop();
    for (const std::uint32_t place : {places.window, places.gram}) {
        consider(age_of(place));
        if (length_ == options_.length_max) return;
    }
    if (length_ < gram_symbols) drop();  // only a collision; the chain has newer occurrences
    follow_chain();
}

/// A slot names the newest position of any symbols that have it, often a recent one of a loop. That both slots
/// name the same position by chance is rare.
std::optional<RepeatMatcher::Position> RepeatMatcher::newer_source() const {
    const std::uint64_t age = age_of(places_.window);
    if (length_ < options_.length_max || age == 0 || age >= distance_ ||
        age != age_of(places_.gram))
        return std::nullopt;
    const Position source = end_ - 1 - age;
    if (common_suffix(source, end_ - 1) < options_.length_max) return std::nullopt;
    return source;
}

/// Examines the occurrences of the newest symbol, newest first. The chain ends where the next
/// position is not older or no longer kept: if one member was overwritten, so were all older ones.
void RepeatMatcher::follow_chain() {
    std::uint64_t age = 0;
    for (std::uint32_t left = credit_; left != 0; --left) {
        const std::uint64_t older = age_of(before_[(end_ - 1 - age) & mask_]);
        if (older <= age) return;
        age = older;
        const std::uint32_t cost = consider(age) / symbols_per_credit;
        if (length_ == options_.length_max) return;
        left = left > cost ? left - cost : 1;
        credit_ = std::max(credit_min, credit_ - std::min(credit_, cost + 1));
    }
}

/// The age of a position of which only the lower half is known; 0 if it is no longer kept.
std::uint64_t RepeatMatcher::age_of(std::uint32_t position) const {
    const Position newest = end_ - 1;
    const std::uint64_t age = static_cast<std::uint32_t>(newest) - position;
    return age <= std::min(mask_, newest) ? age : 0;
}

/// Adopts the match with a source of this age (0: none) if it is longer than the current one.
/// Returns the number of equal symbols it compared.
std::uint32_t RepeatMatcher::consider(std::uint64_t age) {
    const Position newest = end_ - 1;
    const Position source = newest - age;
    if (age == 0 || at(source) != at(newest) || at(newest) == break_symbol) return 0;
    const bool may_be_longer =
        length_ == 0 || (source >= length_ && at(source - length_) == at(newest - length_));
    if (!may_be_longer) return 0;
    const std::uint32_t length = common_suffix(source, newest);
    if (length > length_) {
        length_ = length;
        distance_ = age;
    }
    return length;
}

/// Length of the common suffix of the sequences up to and including `a` and `b`, a < b; at most
/// length_max, and only over symbols that are kept.
std::uint32_t RepeatMatcher::common_suffix(Position a, Position b) const {
    const std::uint64_t kept = symbols_.size() - (b - a);  // symbols up to and including a
    const auto length_max =
        static_cast<std::uint32_t>(std::min({std::uint64_t{options_.length_max}, kept, a + 1}));
    std::uint32_t length = 0;
    while (length < length_max && at(a - length) == at(b - length) &&
           at(a - length) != break_symbol)
        ++length;
    return length;
}

std::size_t RepeatMatcher::memory_bytes() const {
    return symbols_.capacity() * sizeof(Symbol) +
           (newest_.capacity() + before_.capacity() + newest_window_.capacity() +
            newest_gram_.capacity()) *
               sizeof(std::uint32_t);
}

}  // namespace refrain::strings
