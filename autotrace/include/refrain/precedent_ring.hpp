#pragma once

/// Storage for what a host found out about the operations that an InlineRecogniser remembers.

#include "refrain/inline_recogniser.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace refrain::autotrace {

/// A ring with one T for each operation that the recogniser remembers, by position.
///
///     PrecedentRing<Memo> memos(recogniser.capacity());
///     memos.follow(found.unfolded);                             // before any other access
///     memos[found.position] = memos[*found.precedent];          // the two may be the same entry
///
/// Entries are T{} at first.
///
/// Complexity:  O(1), capacity * sizeof(T) bytes, allocated at construction.
/// Threads:     as T.
template <class T>
class PrecedentRing {
  public:
    using Position = InlineRecogniser::Position;

    /// Errors: std::invalid_argument if the capacity is not a recogniser's.
    explicit PrecedentRing(std::size_t capacity) : notes_(checked(capacity)) {}

    [[nodiscard]] T& operator[](Position position) {
        return notes_[static_cast<std::size_t>(position) & (notes_.size() - 1)];
    }
    /// Copies the entries of the previous iteration to the new positions of unfolded operations.
    void follow(const InlineRecogniser::Turn& unfolded) {
        for (std::uint64_t i = 0; i < unfolded.count; ++i)
            (*this)[unfolded.first + i] = (*this)[unfolded.first + i - unfolded.distance];
    }

    [[nodiscard]] std::size_t memory_bytes() const { return notes_.capacity() * sizeof(T); }

  private:
    static std::size_t checked(std::size_t capacity) {
        if (capacity != 0 && (capacity & (capacity - 1)) == 0) return capacity;
        throw std::invalid_argument("argument 'capacity' is " + std::to_string(capacity) +
                                    ", not a power of two; pass capacity() of the recogniser");
    }

    std::vector<T> notes_;
};

}  // namespace refrain::autotrace
