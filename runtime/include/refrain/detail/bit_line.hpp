/// A set of integers as a bitmap: what many scattered elements of a line take, instead of a box for
/// each run of neighbours.
///
///     BitLine line(0, 200);  line.insert(5, 7);  line.insert(130, 131)
///     words 0x60, 0x0, 0x4                        for_each_run: [5,7) [130,131)
///
/// Words begin at multiples of 64, so those of two lines can be combined.
///
/// Complexity: O(words) time and memory; questions about an interval O(its words).
/// Threads: a value; concurrent reads are safe.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::data {

class BitLine {
  public:
    static constexpr std::int64_t word_bits = 64;

    BitLine() noexcept = default;
    /// Without elements, for elements of [lo, hi).
    BitLine(std::int64_t lo, std::int64_t hi)
        : first_(word_of(lo)),
          words_(lo < hi ? static_cast<std::size_t>(word_of(hi - 1) - first_ + 1) : 0) {}

    /// The words' bits [begin(), end()) may be elements.
    [[nodiscard]] std::int64_t begin() const noexcept { return first_ * word_bits; }
    [[nodiscard]] std::int64_t end() const noexcept {
        return (first_ + static_cast<std::int64_t>(words_.size())) * word_bits;
    }
    [[nodiscard]] const std::vector<std::uint64_t>& words() const noexcept { return words_; }
    [[nodiscard]] std::int64_t first_word() const noexcept { return first_; }

    /// Precondition of the following: the elements are in [begin(), end()).
    void insert(std::int64_t element) noexcept { words_[index(element)] |= bit(element); }
    void insert(std::int64_t lo, std::int64_t hi) noexcept {
        for_each_word(lo, hi, [&](std::size_t i, std::uint64_t mask) { words_[i] |= mask; });
    }
    void erase(std::int64_t lo, std::int64_t hi) noexcept {
        for_each_word(lo, hi, [&](std::size_t i, std::uint64_t mask) { words_[i] &= ~mask; });
    }

    [[nodiscard]] bool contains(std::int64_t element) const noexcept {
        return begin() <= element && element < end() &&
               (words_[index(element)] & bit(element)) != 0;
    }
    /// Whether some, or all, of [lo, hi) are elements.
    [[nodiscard]] bool any(std::int64_t lo, std::int64_t hi) const noexcept;
    [[nodiscard]] bool all(std::int64_t lo, std::int64_t hi) const noexcept;
    [[nodiscard]] bool overlaps(const BitLine& other) const noexcept;
    [[nodiscard]] bool contains(const BitLine& other) const noexcept;

    /// The number of elements, and of runs of neighbours.
    [[nodiscard]] std::int64_t count() const noexcept;
    [[nodiscard]] std::size_t runs() const noexcept;
    /// Removes words without elements from both ends.
    void trim();

    /// Adds, removes, or keeps only, the elements of `other` that are in [begin(), end()).
    void unite(const BitLine& other) noexcept;
    void subtract(const BitLine& other) noexcept;
    void intersect(const BitLine& other) noexcept;

    /// Calls f(lo, hi) for each run, in order.
    template <class F>
    void for_each_run(const F& f) const {
        std::int64_t lo = 0;
        bool inside = false;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            // Bits that differ from the one before begin or end a run.
            std::uint64_t edges = words_[i] ^ (words_[i] << 1 | (inside ? 1U : 0U));
            const std::int64_t base = (first_ + static_cast<std::int64_t>(i)) * word_bits;
            for (; edges != 0; edges &= edges - 1) {
                const std::int64_t at = base + std::countr_zero(edges);
                if (inside) f(lo, at);
                lo = at;
                inside = !inside;
            }
        }
        if (inside) f(lo, end());
    }

    friend bool operator==(const BitLine&, const BitLine&) = default;

  private:
    [[nodiscard]] static std::int64_t word_of(std::int64_t element) noexcept {
        return element >> 6;
    }
    [[nodiscard]] std::size_t index(std::int64_t element) const noexcept {
        return static_cast<std::size_t>(word_of(element) - first_);
    }
    [[nodiscard]] static std::uint64_t bit(std::int64_t element) noexcept {
        return std::uint64_t{1} << (static_cast<std::uint64_t>(element) % 64);
    }
    /// Calls f(index of the word, bits of [lo, hi) in it).
    template <class F>
    void for_each_word(std::int64_t lo, std::int64_t hi, const F& f) const {
        if (lo >= hi) return;
        const std::size_t last = index(hi - 1);
        std::uint64_t mask = ~std::uint64_t{0} << (static_cast<std::uint64_t>(lo) % 64);
        for (std::size_t i = index(lo); i < last; ++i, mask = ~std::uint64_t{0}) f(i, mask);
        f(last, mask & (~std::uint64_t{0} >> (63 - static_cast<std::uint64_t>(hi - 1) % 64)));
    }

    std::int64_t first_ = 0;  // number of the first word
    std::vector<std::uint64_t> words_;
};

}  // namespace refrain::data
