#include "autotrace/description_log.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::autotrace::detail {
namespace {

// Not initialised, so that pages are touched on first use.
std::unique_ptr<std::uint64_t[]> words(unsigned count_log2) {
    return std::make_unique_for_overwrite<std::uint64_t[]>(std::size_t{1} << count_log2);
}

}  // namespace

DescriptionLog::DescriptionLog(Descriptions& ring, unsigned operations_log2, unsigned words_log2)
    : ring_(ring), references_(words(operations_log2)), words_(words(words_log2)) {
    ring_ = {.operation_mask = (std::uint64_t{1} << operations_log2) - 1,
             .word_mask = (std::uint64_t{1} << words_log2) - 1,
             .references = references_.get(),
             .words = words_.get()};
    clear();
}

bool DescriptionLog::equal(Position a, Position b) {
    std::uint64_t& of_a = ring_.references[a & ring_.operation_mask];
    std::uint64_t& of_b = ring_.references[b & ring_.operation_mask];
    if (!ring_.is_kept(of_a) || !ring_.is_kept(of_b)) return false;
    if (of_a == of_b) return true;
    const std::uint64_t* words_a = &ring_.words[of_a & ring_.word_mask];
    const std::uint64_t* words_b = &ring_.words[of_b & ring_.word_mask];
    // Counts first: comparing more words than the shorter description has might leave the ring.
    if (words_a[0] != words_b[0]) return false;
    if (!std::equal(words_a + 1, words_a + 1 + words_a[0], words_b + 1)) return false;
    (of_a < of_b ? of_a : of_b) = of_a < of_b ? of_b : of_a;  // share the one that is kept longer
    return true;
}

/// Allocates contiguous words.
std::uint64_t* DescriptionLog::make_room(std::size_t words) {
    REFRAIN_ASSERT(words <= 1 + ring_.word_mask / 8,
                   "a description takes more than an eighth of the ring");
    const std::uint64_t left = ring_.word_mask + 1 - (ring_.end & ring_.word_mask);
    if (left < words) ring_.end += left;
    ring_.end += words;
    std::uint64_t* const room = &ring_.words[(ring_.end - words) & ring_.word_mask];
    word_pages_.reach(room, words * sizeof *room);
    return room;
}

void DescriptionLog::write(Position position, std::span<const std::uint64_t> description) {
    if (description.size() > ring_.word_mask / 8) return skip(position);
    std::uint64_t* words = make_room(1 + description.size());
    refer(position) = ring_.end - 1 - description.size();
    words[0] = description.size();
    std::copy(description.begin(), description.end(), words + 1);
}

void DescriptionLog::write_again(Position position, std::uint64_t reference) {
    if (!ring_.is_kept(reference)) return skip(position);
    const std::uint64_t* old = &ring_.words[reference & ring_.word_mask];
    const std::uint64_t count = 1 + old[0];  // at most an eighth of the ring: make_room keeps it
    std::uint64_t* words = make_room(count);
    refer(position) = ring_.end - count;
    std::copy(old, old + count, words);
}

std::size_t DescriptionLog::used_bytes(std::uint64_t operations) const {
    return (std::min(operations, ring_.operation_mask + 1) +
            std::min(ring_.end - first_word(), ring_.word_mask + 1)) *
           sizeof(std::uint64_t);
}

std::size_t DescriptionLog::memory_bytes() const {
    return (ring_.operation_mask + 1 + ring_.word_mask + 1) * sizeof(std::uint64_t);
}

}  // namespace refrain::autotrace::detail
