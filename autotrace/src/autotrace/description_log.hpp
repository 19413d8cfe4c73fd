#pragma once

#include "base/pages.hpp"
#include "refrain/inline_recogniser.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace refrain::autotrace::detail {

/// The words of the newest operations, to prove that operations with equal hashes are equal.
///
/// An operation that equals an earlier one shares its description: a loop writes its descriptions
/// once, and two operations with the same reference are equal without comparing words. Descriptions
/// are in a ring of words; repeat() writes a description again before it is overwritten.
///
/// Shapes:      a description has any number of words; one with more than an eighth of the ring is
///              not kept, and equals no other.
/// Complexity:  O(words) per call; 8 bytes per operation and per word of the ring. Pages are
///              asked for a step ahead.
/// Threads:     one.
class DescriptionLog {
  public:
    using Position = InlineRecogniser::Position;

    /// Keeps 2^`operations_log2` operations and 2^`words_log2` words. Sets `ring` to refer to them;
    /// it must outlive the log.
    DescriptionLog(Descriptions& ring, unsigned operations_log2, unsigned words_log2);
    DescriptionLog(const DescriptionLog&) = delete;
    DescriptionLog& operator=(const DescriptionLog&) = delete;
    DescriptionLog(DescriptionLog&&) = delete;
    DescriptionLog& operator=(DescriptionLog&&) = delete;
    ~DescriptionLog() = default;

    /// The words of the operation at `position`, if they are still kept. Valid until the next
    /// description is written.
    [[nodiscard]] std::optional<std::span<const std::uint64_t>> at(Position position) const {
        return ring_.at(position);
    }
    [[nodiscard]] bool equals(Position position, std::span<const std::uint64_t> description) const {
        const auto known = at(position);
        return known &&
               std::equal(known->begin(), known->end(), description.begin(), description.end());
    }
    /// Whether the two have equal descriptions. False if one is no longer kept.
    [[nodiscard]] bool equal(Position a, Position b);

    /// Describes the operation at `position`, the next one.
    void write(Position position, std::span<const std::uint64_t> description);
    /// Describes it as equal to the operation at `earlier`.
    void repeat(Position position, Position earlier) {
        const std::uint64_t reference = ring_.references[earlier & ring_.operation_mask];
        if (ring_.end - reference > ring_.word_mask / 2) [[unlikely]]
            return write_again(position, reference);
        refer(position) = reference;
    }
    /// Leaves the operation at `position` without a description: it equals no other.
    void skip(Position position) { refer(position) = Descriptions::no_reference; }
    /// Forgets all descriptions.
    void clear() { ring_.end = first_word(); }

    /// The bytes of both rings; and how many of them were touched after `operations` operations.
    [[nodiscard]] std::size_t memory_bytes() const;
    [[nodiscard]] std::size_t used_bytes(std::uint64_t operations) const;

  private:
    /// Far enough from no_reference that it does not count as kept.
    [[nodiscard]] std::uint64_t first_word() const {
        return Descriptions::no_reference + ring_.word_mask + 1;
    }
    /// The reference of the next operation.
    std::uint64_t& refer(Position position) {
        std::uint64_t& reference = ring_.references[position & ring_.operation_mask];
        reference_pages_.reach(&reference, sizeof reference);
        return reference;
    }
    std::uint64_t* make_room(std::size_t words);
    void write_again(Position position, std::uint64_t reference);

    Descriptions& ring_;
    std::unique_ptr<std::uint64_t[]> references_;  // owns ring_.references
    std::unique_ptr<std::uint64_t[]> words_;       // owns ring_.words
    base::PagesAhead reference_pages_, word_pages_;
};

}  // namespace refrain::autotrace::detail
