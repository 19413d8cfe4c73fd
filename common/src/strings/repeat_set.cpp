#include "strings/repeat_set.hpp"

#include "base/assertion.hpp"

namespace refrain::strings {

void RepeatSet::clear(std::size_t occurrences_max) {
    repeats_.clear();
    occurrences_.clear();
    occurrences_.reserve(occurrences_max);
    repeats_.reserve(occurrences_max / 2);
    pending_begin_ = 0;
}

std::span<std::uint32_t> RepeatSet::pending() {
    return std::span<std::uint32_t>(occurrences_).subspan(pending_begin_);
}

void RepeatSet::add_repeat(std::uint32_t length) {
    const std::span<std::uint32_t> occurrences = pending();
    REFRAIN_ASSERT(occurrences.size() >= 2, "a repeat occurs at least twice");
    repeats_.push_back({occurrences.front(), length, occurrences});
    pending_begin_ = occurrences_.size();
}

std::size_t RepeatSet::covered() const {
    std::size_t sum = 0;
    for (const Repeat& repeat : repeats_) sum += repeat.occurrences.size() * repeat.length;
    return sum;
}

std::size_t RepeatSet::memory_bytes() const {
    return repeats_.capacity() * sizeof(Repeat) + occurrences_.capacity() * sizeof(std::uint32_t);
}

}  // namespace refrain::strings
