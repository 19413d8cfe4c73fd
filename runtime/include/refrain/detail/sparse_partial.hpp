/// The private partial result of a reduction into very many elements of which a task touches few.
///
///     elements   0 ... 511 | 512 ... 1023 | 1024 ... 1535 | ...
///     chunks     null      | 4 KiB        | null          | ...     made when first touched
///
/// Memory and time are those of the touched chunks, and 8 bytes per chunk that could be.
///
/// Invariants: a chunk holds identities until they are reduced into.
/// Threads:    one task at a time.
#pragma once

#include "refrain/detail/box.hpp"
#include "refrain/detail/reduction_table.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace refrain::data {

class StoragePool;

class SparsePartial {
  public:
    /// Of elements in `bounds`. `reduction` and `pool` outlive this.
    SparsePartial(const Box& bounds, const ReductionFunctions& reduction, StoragePool& pool);
    SparsePartial(const SparsePartial&) = delete;
    SparsePartial& operator=(const SparsePartial&) = delete;
    SparsePartial(SparsePartial&&) = delete;
    SparsePartial& operator=(SparsePartial&&) = delete;
    ~SparsePartial();

    [[nodiscard]] const Box& bounds() const noexcept { return bounds_; }
    /// The element at `point` of the bounds.
    /// Errors: OutOfMemory.
    [[nodiscard]] void* element(const Coordinates& point) {
        const auto index = static_cast<std::size_t>(linear_index(bounds_, point));
        std::byte*& chunk = chunks_[index >> length_log2_];
        if (chunk == nullptr) [[unlikely]]
            chunk = make_chunk();
        const std::size_t within = index & ((std::size_t{1} << length_log2_) - 1);
        return chunk + within * reduction_.element_bytes;
    }
    /// From half of the chunks on, all elements side by side take at most twice the memory, and
    /// reducing into them looks nothing up.
    [[nodiscard]] bool is_dense() const noexcept { return 2 * made_ >= count_; }
    struct Run {
        const std::byte* elements;  // null: untouched
        std::size_t count;
    };
    /// Of `count` elements from the row-major position `index` on, the first in one chunk.
    [[nodiscard]] Run run(std::size_t index, std::size_t count) const noexcept {
        const std::size_t length = std::size_t{1} << length_log2_;
        const std::byte* chunk = chunks_[index >> length_log2_];
        const std::size_t within = index & (length - 1);
        return {chunk == nullptr ? nullptr : chunk + within * reduction_.element_bytes,
                std::min(count, length - within)};
    }

  private:
    [[nodiscard]] std::byte* make_chunk();
    [[nodiscard]] std::size_t chunk_bytes() const noexcept {
        return reduction_.element_bytes << length_log2_;
    }

    Box bounds_;
    const ReductionFunctions& reduction_;
    StoragePool& pool_;
    unsigned length_log2_;  // elements per chunk
    std::size_t count_;
    std::size_t made_ = 0;
    std::unique_ptr<std::byte*[]> chunks_;
};

}  // namespace refrain::data
