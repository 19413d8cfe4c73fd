#include "autotrace/description_log.hpp"

#include <algorithm>

namespace refrain::autotrace::detail {
namespace {

// Not initialised, so that the memory is there only when it is used.
std::unique_ptr<std::uint64_t[]> words(unsigned count_log2) {
    return std::make_unique_for_overwrite<std::uint64_t[]>(std::size_t{1} << count_log2);
}

}  // namespace

DescriptionLog::DescriptionLog(unsigned operations_log2, unsigned words_log2)
    : operation_mask_((std::uint64_t{1} << operations_log2) - 1),
      word_mask_((std::uint64_t{1} << words_log2) - 1),
      references_(words(operations_log2)),
      words_(words(words_log2)) {}

bool DescriptionLog::equal(Position a, Position b) {
    std::uint64_t& of_a = references_[a & operation_mask_];
    std::uint64_t& of_b = references_[b & operation_mask_];
    if (!is_kept(of_a) || !is_kept(of_b)) return false;
    if (of_a == of_b) return true;
    const std::uint64_t* words_a = &words_[of_a & word_mask_];
    const std::uint64_t* words_b = &words_[of_b & word_mask_];
    // The numbers of words first: a comparison of more might leave the ring.
    if (words_a[0] != words_b[0]) return false;
    if (!std::equal(words_a + 1, words_a + 1 + words_a[0], words_b + 1)) return false;
    (of_a < of_b ? of_a : of_b) = of_a < of_b ? of_b : of_a;  // the younger lives longer
    return true;
}

/// Words that follow one another in memory.
std::uint64_t* DescriptionLog::make_room(std::size_t words) {
    const std::uint64_t left = word_mask_ + 1 - (end_ & word_mask_);
    if (left < words) end_ += left;
    end_ += words;
    return &words_[(end_ - words) & word_mask_];
}

void DescriptionLog::write(Position position, std::span<const std::uint64_t> description) {
    if (description.size() > word_mask_ / 8) return skip(position);
    std::uint64_t* words = make_room(1 + description.size());
    references_[position & operation_mask_] = end_ - 1 - description.size();
    words[0] = description.size();
    std::copy(description.begin(), description.end(), words + 1);
}

void DescriptionLog::write_again(Position position, std::uint64_t reference) {
    if (!is_kept(reference)) return skip(position);
    const std::uint64_t* old = &words_[reference & word_mask_];
    const std::uint64_t count = 1 + old[0];  // at most an eighth of the ring: not overwritten now
    std::uint64_t* words = make_room(count);
    references_[position & operation_mask_] = end_ - count;
    std::copy(old, old + count, words);
}

std::size_t DescriptionLog::used_bytes(std::uint64_t operations) const {
    return (std::min(operations, operation_mask_ + 1) + std::min(end_ - 1, word_mask_ + 1)) *
           sizeof(std::uint64_t);
}

std::size_t DescriptionLog::memory_bytes() const {
    return (operation_mask_ + 1 + word_mask_ + 1) * sizeof(std::uint64_t);
}

}  // namespace refrain::autotrace::detail
