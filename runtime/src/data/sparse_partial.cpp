#include "refrain/detail/sparse_partial.hpp"

#include "data/storage_pool.hpp"

#include <bit>

namespace refrain::data {
namespace {

constexpr std::size_t chunk_bytes_usual = 4096;

}  // namespace

SparsePartial::SparsePartial(const Box& bounds, const ReductionFunctions& reduction,
                             StoragePool& pool)
    : bounds_(bounds),
      reduction_(reduction),
      pool_(pool),
      length_log2_(static_cast<unsigned>(
          std::bit_width(std::max<std::size_t>(chunk_bytes_usual / reduction.element_bytes, 1)) -
          1)),
      count_((static_cast<std::size_t>(bounds.volume()) >> length_log2_) + 1),
      chunks_(std::make_unique<std::byte*[]>(count_)) {}

SparsePartial::~SparsePartial() {
    for (std::size_t i = 0; i < count_; ++i)
        if (chunks_[i] != nullptr) pool_.release(chunks_[i], chunk_bytes());
}

std::byte* SparsePartial::make_chunk() {
    auto* chunk = static_cast<std::byte*>(pool_.allocate(chunk_bytes()));
    try {
        reduction_.initialise(chunk, std::size_t{1} << length_log2_);
    } catch (...) {
        pool_.release(chunk, chunk_bytes());
        throw;
    }
    ++made_;
    return chunk;
}

}  // namespace refrain::data
