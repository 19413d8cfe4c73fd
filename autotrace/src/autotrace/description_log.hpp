#pragma once

#include "refrain/inline_recogniser.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace refrain::autotrace::detail {

/// What was said of the newest operations, word by word, so that equal hashes can be proved to stand
/// for equal operations.
///
/// An operation that is known to equal an earlier one refers to the description of that one: a loop
/// writes its descriptions once, and equality is mostly seen from the reference. Descriptions lie in
/// a ring of words, and one that is about to be overwritten while it is still referred to is written
/// again.
///
/// Shapes:      a description has any number of words; one of more than an eighth of the ring is not
///              kept, and equals nothing.
/// Complexity:  O(words) each; 8 bytes per operation and per word of the ring. Memory is touched
///              when it is used first.
/// Threads:     one.
class DescriptionLog {
  public:
    using Position = InlineRecogniser::Position;

    /// Remembers 2^`operations_log2` operations and 2^`words_log2` words. `ring` says where they lie,
    /// for whoever reads them, and lives longer than the log.
    DescriptionLog(Descriptions& ring, unsigned operations_log2, unsigned words_log2);
    DescriptionLog(const DescriptionLog&) = delete;
    DescriptionLog& operator=(const DescriptionLog&) = delete;
    DescriptionLog(DescriptionLog&&) = delete;
    DescriptionLog& operator=(DescriptionLog&&) = delete;
    ~DescriptionLog() = default;

    /// How the operation at `position` was described; nothing if that is not known any more. Valid
    /// until the next description is written.
    [[nodiscard]] std::optional<std::span<const std::uint64_t>> at(Position position) const {
        return ring_.at(position);
    }
    [[nodiscard]] bool equals(Position position, std::span<const std::uint64_t> description) const {
        const auto known = at(position);
        return known &&
               std::equal(known->begin(), known->end(), description.begin(), description.end());
    }
    /// Whether the two were described alike. False if one is not known any more.
    [[nodiscard]] bool equal(Position a, Position b);

    /// Describes the operation at `position`, the one after the last.
    void write(Position position, std::span<const std::uint64_t> description);
    /// The same for an operation that equals the one at `earlier`.
    void repeat(Position position, Position earlier) {
        const std::uint64_t reference = ring_.references[earlier & ring_.operation_mask];
        if (ring_.end - reference > ring_.word_mask / 2) [[unlikely]]
            return write_again(position, reference);
        ring_.references[position & ring_.operation_mask] = reference;
    }
    /// There is no description of the operation at `position`.
    void skip(Position position) {
        ring_.references[position & ring_.operation_mask] = Descriptions::nowhere;
    }
    /// Forgets all descriptions.
    void clear() { ring_.end = first_word(); }

    /// Of both rings; and of what was used of them after so many operations.
    [[nodiscard]] std::size_t memory_bytes() const;
    [[nodiscard]] std::size_t used_bytes(std::uint64_t operations) const;

  private:
    /// So many words behind nowhere that that is not kept.
    [[nodiscard]] std::uint64_t first_word() const {
        return Descriptions::nowhere + ring_.word_mask + 1;
    }
    std::uint64_t* make_room(std::size_t words);
    void write_again(Position position, std::uint64_t reference);

    Descriptions& ring_;
    std::unique_ptr<std::uint64_t[]> references_;  // that it points to
    std::unique_ptr<std::uint64_t[]> words_;
};

}  // namespace refrain::autotrace::detail
