#include "strings/rank_compression.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace refrain::strings {
namespace {

constexpr std::size_t digit_values = 256;
constexpr unsigned digit_bits = 8;

unsigned digit(std::uint64_t value, unsigned shift) {
    return (value >> shift) & 0xff;
}

}  // namespace

template <class Value>
std::span<const Symbol> RankCompressor::compress_values(std::span<const Value> values) {
    if (values.size() > static_cast<std::size_t>(sequence_length_max)) {
        throw std::length_error("compress: argument 'values' has " + std::to_string(values.size()) +
                                " entries, more than the " + std::to_string(sequence_length_max) +
                                " that an Index can address; split the sequence");
    }
    entries_.resize(values.size());
    sorted_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        entries_[i] = {values[i], static_cast<Index>(i)};
    }
    sort_entries();
    assign_ranks();
    return ranks_;
}

std::span<const Symbol> RankCompressor::compress(std::span<const std::uint64_t> values) {
    return compress_values(values);
}

std::span<const Symbol> RankCompressor::compress(std::span<const std::uint32_t> values) {
    return compress_values(values);
}

/// Radix sort from the lowest byte up; skips bytes that are the same in all values.
void RankCompressor::sort_entries() {
    for (unsigned shift = 0; shift < 64; shift += digit_bits) {
        std::array<std::size_t, digit_values> offsets{};
        for (const Entry& entry : entries_) ++offsets[digit(entry.value, shift)];
        if (!entries_.empty() && offsets[digit(entries_.front().value, shift)] == entries_.size()) {
            continue;
        }
        std::size_t offset = 0;
        for (std::size_t& count : offsets) {
            const std::size_t next = offset + count;
            count = offset;
            offset = next;
        }
        for (const Entry& entry : entries_) sorted_[offsets[digit(entry.value, shift)]++] = entry;
        entries_.swap(sorted_);
    }
}

void RankCompressor::assign_ranks() {
    ranks_.resize(entries_.size());
    distinct_ = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (i == 0 || entries_[i].value != entries_[i - 1].value) ++distinct_;
        ranks_[static_cast<std::size_t>(entries_[i].position)] = distinct_ - 1;
    }
}

std::size_t RankCompressor::memory_bytes() const {
    return (entries_.capacity() + sorted_.capacity()) * sizeof(Entry) +
           ranks_.capacity() * sizeof(Symbol);
}

}  // namespace refrain::strings
