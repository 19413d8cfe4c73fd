#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::strings {

/// A substring and its occurrences: at least two, ascending and disjoint.
struct Repeat {
    std::uint32_t begin;   ///< its first occurrence
    std::uint32_t length;  ///< in symbols
    std::span<const std::uint32_t> occurrences;
};

/// The result of one search: distinct substrings, longest first (the pieces of a cut repeat take
/// its place), with all occurrences disjoint. Owns the occurrences; moving keeps the repeats valid.
class RepeatSet {
  public:
    RepeatSet() = default;
    RepeatSet(const RepeatSet&) = delete;
    RepeatSet& operator=(const RepeatSet&) = delete;
    RepeatSet(RepeatSet&&) = default;
    RepeatSet& operator=(RepeatSet&&) = default;
    ~RepeatSet() = default;

    [[nodiscard]] std::size_t size() const { return repeats_.size(); }
    [[nodiscard]] bool empty() const { return repeats_.empty(); }
    [[nodiscard]] const Repeat& operator[](std::size_t i) const { return repeats_[i]; }
    [[nodiscard]] auto begin() const { return repeats_.begin(); }
    [[nodiscard]] auto end() const { return repeats_.end(); }

    /// The number of symbols in occurrences.
    [[nodiscard]] std::size_t covered() const;

    [[nodiscard]] std::size_t memory_bytes() const;

    /// Empties the set and reserves memory for `occurrences_max` occurrences, so that adding them
    /// moves none.
    void clear(std::size_t occurrences_max);

    /// Adds an occurrence to the pending repeat, which add_repeat or drop_pending ends.
    void add_occurrence(std::uint32_t begin) { occurrences_.push_back(begin); }

    /// Occurrences of the pending repeat.
    [[nodiscard]] std::span<std::uint32_t> pending();

    void add_repeat(std::uint32_t length);
    void drop_pending() { occurrences_.resize(occurrences_.size() - pending().size()); }

  private:
    std::vector<Repeat> repeats_;
    std::vector<std::uint32_t> occurrences_;
    std::size_t pending_begin_ = 0;
};

}  // namespace refrain::strings
