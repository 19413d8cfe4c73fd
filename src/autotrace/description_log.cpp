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
    const std::uint64_t count = word(of_a);
    for (std::uint64_t i = 0; i <= count; ++i)
        if (word(of_a + i) != word(of_b + i)) return false;
    (of_a < of_b ? of_a : of_b) = of_a < of_b ? of_b : of_a;  // the younger lives longer
    return true;
}

void DescriptionLog::write(Position position, std::span<const std::uint64_t> description) {
    if (description.size() > word_mask_ / 8) return skip(position);
    references_[position & operation_mask_] = end_;
    words_[end_++ & word_mask_] = description.size();
    for (const std::uint64_t each : description) words_[end_++ & word_mask_] = each;
}

std::size_t DescriptionLog::used_bytes(std::uint64_t operations) const {
    return (std::min(operations, operation_mask_ + 1) + std::min(end_ - 1, word_mask_ + 1)) *
           sizeof(std::uint64_t);
}

std::size_t DescriptionLog::memory_bytes() const {
    return (operation_mask_ + 1 + word_mask_ + 1) * sizeof(std::uint64_t);
}

}  // namespace refrain::autotrace::detail
