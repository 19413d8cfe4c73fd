#pragma once

#include "base/atomic.hpp"
#include "data/shared_space.hpp"
#include "data/storage_pool.hpp"
#include "refrain/detail/box_set.hpp"
#include "refrain/detail/reduction_table.hpp"
#include "refrain/detail/sparse_partial.hpp"
#include "refrain/detail/written_elements.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace refrain::regions {

struct RegionRoot;

/// The memory of one region. It is allocated when the first task that uses the region starts, and
/// released when the region is dead and its last task has finished.
///
///   open, reset         launching thread  while no task uses the region
///   reserve             launching thread  before the first task that uses the region
///   elements, ensure    any worker        ensure allocates on first use
///   fold                any worker        adds a partial result; folds of the same elements exclude
///                                         one another, those of disjoint parts run in parallel
///
/// I1  elements_ changes from null once, under a lock that storages share, or before any task uses the region, and back to
///     null in reset only.
/// Pairs: the store of elements_ in allocate (release) with the load in elements (acquire), so a worker
///     that sees the block also sees what the pool did to it.
class Storage {
  public:
    /// A region begins to use this object, which is reused from region to region. With
    /// `marks_writes`, marks of written elements are allocated with the elements.
    /// The memory comes from the pool of the owner's table.
    void open(const RegionRoot& owner, const data::SharedSpace& space, std::size_t element_bytes,
              bool marks_writes = false);
    /// The elements are in memory from outside, which stays valid until reset() calls `done`.
    /// Precondition: just opened.
    void adopt(void* elements, std::function<void()> done);
    /// Who adopted the elements gets the end of their use from now on; null if nobody did.
    [[nodiscard]] std::unique_ptr<std::function<void()>> take_done() noexcept;
    /// Bytes of the pool that this storage takes sooner or later, from now on: the first time those of its
    /// block, and later 0. Also 0 if the pool can never give them.
    [[nodiscard]] std::size_t reserve();
    /// What reserve() has returned, all together.
    [[nodiscard]] std::size_t reserved_bytes() const {
        return is_reserved_ ? data::StoragePool::block_bytes(bytes()) : 0;
    }
    /// Returns the memory to the pool, or to whom it belongs.
    void reset() noexcept;

    [[nodiscard]] void* elements() const { return elements_.load(std::memory_order_acquire); }
    /// The elements, allocated if they are not yet.
    /// Errors: OutOfMemory that names the region.
    [[nodiscard]] void* ensure() {
        void* known = elements();
        return known != nullptr ? known : allocate();
    }
    /// Folds `elements` of a partial result into the region. The partial result is dense over `buffer`;
    /// other elements of it are not read.
    void fold(const data::ReductionFunctions& reduction, const void* partial,
              const data::Box& buffer, const data::BoxSet& elements);
    /// The same; elements in chunks that nobody touched are not looked at.
    void fold(const data::ReductionFunctions& reduction, const data::SparsePartial& partial,
              const data::BoxSet& elements);

    /// The marks of written elements, which ensure() allocates; null without strict reads.
    [[nodiscard]] data::WrittenElements* written() const {
        return rare_ == nullptr ? nullptr : rare_->written.get();
    }
    [[nodiscard]] const data::Box& bounds() const { return space_.box(); }
    [[nodiscard]] const data::BoxSet& all() const { return space_.all(); }
    [[nodiscard]] std::size_t element_bytes() const { return element_bytes_; }
    [[nodiscard]] std::size_t bytes() const {
        return static_cast<std::size_t>(space_.volume()) * element_bytes_;
    }
    [[nodiscard]] data::StoragePool& pool() const;

  private:
    /// What few regions have.
    struct Rare {
        std::unique_ptr<std::function<void()>> done;     // of adopted elements
        std::unique_ptr<data::WrittenElements> written;  // of others, with strict reads
    };
    void* allocate();
    template <class RunAt>
    void fold_runs(const data::ReductionFunctions& reduction, const data::Box& buffer,
                   const data::BoxSet& elements, const RunAt& run_at);

    base::Atomic<void*> elements_{nullptr};
    data::SharedSpace space_;
    const RegionRoot* owner_ = nullptr;
    std::unique_ptr<Rare> rare_;  // written under a lock, before elements_
    std::uint32_t element_bytes_ = 0;
    bool is_adopted_ = false;  // the elements are not of the pool
    bool marks_writes_ = false;
    bool is_reserved_ = false;
};
static_assert(sizeof(Storage) <= 40, "programs have many regions");

}  // namespace refrain::regions
