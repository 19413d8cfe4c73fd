#include "strings/repeat_matcher.hpp"

#include <algorithm>

namespace refrain::strings {

RepeatMatcher::RepeatMatcher(Options options)
    : options_(options),
      mask_((std::uint64_t{1} << options.capacity_log2) - 1),
      bucket_shift_(32 - options.capacity_log2),
      symbols_(std::size_t{1} << options.capacity_log2, break_symbol),
      newest_(symbols_.size()),
      before_(symbols_.size()) {
    REFRAIN_ASSERT(options.capacity_log2 >= 4 && options.capacity_log2 <= 24,
                   "capacities are 16 to 16,777,216 symbols");
    REFRAIN_ASSERT(options.length_max >= 1, "a match has a symbol");
}

/// Looks through the occurrences of the newest symbol, newest first. Positions are kept as 32 bits;
/// a chain goes on as long as it gets older and stays within the capacity: where its next member was
/// overwritten, all further ones were, too.
void RepeatMatcher::choose() {
    const Position newest = end_ - 1;
    length_ = 0;
    std::uint64_t age = 0;
    for (std::uint32_t left = credit_; left != 0; --left) {
        const std::uint32_t link = before_[(newest - age) & mask_];
        const std::uint64_t next_age = static_cast<std::uint32_t>(newest) - link;
        if (next_age <= age || next_age > mask_ || next_age > newest) break;
        age = next_age;
        if (credit_ > credit_min) --credit_;
        const Position source = newest - age;
        if (at(source) != at(newest)) continue;  // another one in the same bucket
        if (length_ != 0 &&
            (source < length_ || at(source - length_) != at(newest - length_)))
            continue;  // not longer
        const std::uint32_t length = common_suffix(source, newest);
        const std::uint32_t cost = length / symbols_per_credit;
        left = left > cost ? left - cost : 1;
        credit_ = credit_ > credit_min + cost ? credit_ - cost : credit_min;
        if (length <= length_) continue;
        length_ = length;
        distance_ = age;
        if (length == options_.length_max) break;
    }
}

/// Of the sequences that end at `a` and `b`, a < b, both included.
std::uint32_t RepeatMatcher::common_suffix(Position a, Position b) const {
    const std::uint64_t kept = symbols_.size() - (b - a);  // positions from a backwards
    const auto length_max = static_cast<std::uint32_t>(
        std::min({std::uint64_t{options_.length_max}, kept, a + 1}));
    std::uint32_t length = 0;
    while (length < length_max && at(a - length) == at(b - length) &&
           at(a - length) != break_symbol)
        ++length;
    return length;
}

std::size_t RepeatMatcher::memory_bytes() const {
    return symbols_.capacity() * sizeof(Symbol) +
           (newest_.capacity() + before_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace refrain::strings
