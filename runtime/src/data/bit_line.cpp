#include "refrain/detail/bit_line.hpp"

namespace refrain::data {
namespace {

/// Calls f(word of a, word of b) where both have words.
template <class A, class B, class F>
void for_common_words(A& a, std::int64_t a_first, B& b, std::int64_t b_first, const F& f) {
    const std::int64_t lo = std::max(a_first, b_first);
    const std::int64_t hi = std::min(a_first + static_cast<std::int64_t>(a.size()),
                                     b_first + static_cast<std::int64_t>(b.size()));
    for (std::int64_t i = lo; i < hi; ++i)
        f(a[static_cast<std::size_t>(i - a_first)], b[static_cast<std::size_t>(i - b_first)]);
}

}  // namespace

bool BitLine::any(std::int64_t lo, std::int64_t hi) const noexcept {
    lo = std::max(lo, begin());
    hi = std::min(hi, end());
    if (lo >= hi) return false;
    const std::size_t last = index(hi - 1);
    std::uint64_t mask = ~std::uint64_t{0} << (static_cast<std::uint64_t>(lo) % 64);
    for (std::size_t i = index(lo); i < last; ++i, mask = ~std::uint64_t{0})
        if ((words_[i] & mask) != 0) return true;
    mask &= ~std::uint64_t{0} >> (63 - static_cast<std::uint64_t>(hi - 1) % 64);
    return (words_[last] & mask) != 0;
}

bool BitLine::all(std::int64_t lo, std::int64_t hi) const noexcept {
    if (lo >= hi) return true;
    if (lo < begin() || hi > end()) return false;
    bool all = true;
    for_each_word(lo, hi, [&](std::size_t i, std::uint64_t mask) {
        all = all && (words_[i] & mask) == mask;
    });
    return all;
}

bool BitLine::overlaps(const BitLine& other) const noexcept {
    std::uint64_t common = 0;
    for_common_words(words_, first_, other.words_, other.first_,
                     [&](std::uint64_t a, std::uint64_t b) { common |= a & b; });
    return common != 0;
}

bool BitLine::contains(const BitLine& other) const noexcept {
    for (std::size_t i = 0; i < other.words_.size(); ++i) {
        const auto at = other.first_ + static_cast<std::int64_t>(i) - first_;
        const bool here = at >= 0 && at < static_cast<std::int64_t>(words_.size());
        const std::uint64_t own = here ? words_[static_cast<std::size_t>(at)] : 0;
        if ((other.words_[i] & ~own) != 0) return false;
    }
    return true;
}

std::int64_t BitLine::count() const noexcept {
    std::int64_t count = 0;
    for (const std::uint64_t word : words_) count += std::popcount(word);
    return count;
}

std::size_t BitLine::runs() const noexcept {
    std::size_t runs = 0;
    std::uint64_t before = 0;  // the highest bit of the word before, as the lowest
    for (const std::uint64_t word : words_) {
        runs += static_cast<std::size_t>(std::popcount(word & ~(word << 1 | before)));
        before = word >> 63;
    }
    return runs;
}

void BitLine::trim() {
    const auto has_elements = [](std::uint64_t word) { return word != 0; };
    const auto front = std::find_if(words_.begin(), words_.end(), has_elements);
    const auto back = std::find_if(words_.rbegin(), words_.rend(), has_elements).base();
    if (front == words_.end()) {
        *this = BitLine();
        return;
    }
    if (front == words_.begin() && back == words_.end()) return;
    first_ += front - words_.begin();
    words_ = std::vector<std::uint64_t>(front, back);
}

void BitLine::unite(const BitLine& other) noexcept {
    for_common_words(words_, first_, other.words_, other.first_,
                     [](std::uint64_t& a, std::uint64_t b) { a |= b; });
}

void BitLine::subtract(const BitLine& other) noexcept {
    for_common_words(words_, first_, other.words_, other.first_,
                     [](std::uint64_t& a, std::uint64_t b) { a &= ~b; });
}

void BitLine::intersect(const BitLine& other) noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) {
        const auto at = first_ + static_cast<std::int64_t>(i) - other.first_;
        const bool there = at >= 0 && at < static_cast<std::int64_t>(other.words_.size());
        words_[i] &= there ? other.words_[static_cast<std::size_t>(at)] : 0;
    }
}

}  // namespace refrain::data
