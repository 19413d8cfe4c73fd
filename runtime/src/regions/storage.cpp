#include "regions/storage.hpp"

#include "refrain/error.hpp"
#include "refrain/region.hpp"
#include "regions/region_root.hpp"

namespace refrain::regions {

void Storage::open(data::StoragePool& pool, const RegionRoot& owner, const data::Box& bounds,
                   std::size_t element_bytes, bool marks_writes) {
    pool_ = &pool;
    owner_ = &owner;
    bounds_ = bounds;
    all_ = data::BoxSet(bounds);
    element_bytes_ = element_bytes;
    bytes_ = static_cast<std::size_t>(bounds.volume()) * element_bytes;
    marks_writes_ = marks_writes;
}

void Storage::reset() noexcept {
    void* elements = elements_.load(std::memory_order_relaxed);  // no task uses it
    if (elements != nullptr) pool_->release(elements, bytes_);
    elements_.store(nullptr, std::memory_order_relaxed);
    written_.reset();
}

void* Storage::allocate() {
    const base::LockGuard lock(mutex_);
    void* known = elements_.load(std::memory_order_relaxed);  // I1: written under this lock
    if (known != nullptr) return known;                       // another worker was first
    if (marks_writes_ && written_ == nullptr)
        written_ = std::make_unique<data::WrittenElements>(bounds_, owner_->rank, name_of(*owner_));
    try {
        known = pool_->allocate(bytes_);
    } catch (const OutOfMemory& refusal) {
        throw refusal.of_region(name_of(*owner_));
    }
    elements_.store(known, std::memory_order_release);
    return known;
}

void Storage::fold(const data::ReductionFunctions& reduction, const void* partial,
                   const data::Box& buffer, const data::BoxSet& elements) {
    auto* into = static_cast<std::byte*>(ensure());
    const auto* from = static_cast<const std::byte*>(partial);
    const base::LockGuard lock(fold_mutex_);
    for (const data::Box& box : elements.boxes()) {
        const auto count = static_cast<std::size_t>(box.extent(2));
        for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
            for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j) {
                const data::Coordinates row{i, j, box.lo[2]};
                const auto to = static_cast<std::size_t>(data::linear_index(bounds_, row));
                const auto at = static_cast<std::size_t>(data::linear_index(buffer, row));
                reduction.fold(into + to * element_bytes_, from + at * element_bytes_, count);
            }
    }
}

}  // namespace refrain::regions
