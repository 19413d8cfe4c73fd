#pragma once

#include "base/atomic.hpp"
#include "base/mutex.hpp"
#include "data/storage_pool.hpp"
#include "refrain/detail/box_set.hpp"
#include "refrain/detail/reduction_table.hpp"

#include <cstddef>

namespace refrain::runtime {

struct RegionRoot;

/// The memory of one region: taken when the first task that uses it starts, given back when the
/// region is dead and its last task has finished.
///
///   open, reset         launching thread  while no task uses the region
///   elements, ensure    any worker        the elements, taking memory if there is none yet
///   fold                any worker        adds a partial result; one at a time
///
/// I1  elements_ changes from null once, under mutex_, and back to null in reset only.
/// Pairs: ensure's store of elements_ (release) with the load in elements (acquire): the block is
///     the pool's last word.
class Storage {
  public:
    /// Begins the life of a region; the object is reused from one region to the next.
    void open(data::StoragePool& pool, const RegionRoot& owner, const data::Box& bounds,
              std::size_t element_bytes);
    /// Gives the memory back.
    void reset() noexcept;

    [[nodiscard]] void* elements() const { return elements_.load(std::memory_order_acquire); }
    /// Errors: OutOfMemory naming the region.
    [[nodiscard]] void* ensure() {
        void* known = elements();
        return known != nullptr ? known : take();
    }
    /// Folds `elements` of a partial result, which is dense over `buffer`, into the region.
    void fold(const data::ReductionFunctions& reduction, const void* partial,
              const data::Box& buffer, const data::BoxSet& elements);

    [[nodiscard]] const data::Box& bounds() const { return bounds_; }
    [[nodiscard]] const data::BoxSet& all() const { return all_; }
    [[nodiscard]] std::size_t element_bytes() const { return element_bytes_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] data::StoragePool& pool() const { return *pool_; }

  private:
    void* take();

    base::Atomic<void*> elements_{nullptr};
    data::StoragePool* pool_ = nullptr;
    data::Box bounds_;
    data::BoxSet all_;
    std::size_t element_bytes_ = 0;
    std::size_t bytes_ = 0;
    const RegionRoot* owner_ = nullptr;  // for its name
    base::Mutex mutex_;
    base::Mutex fold_mutex_;
};

}  // namespace refrain::runtime
