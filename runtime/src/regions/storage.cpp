#include "regions/storage.hpp"

#include "base/assertion.hpp"
#include "base/mutex.hpp"
#include "data/box_runs.hpp"
#include "refrain/error.hpp"
#include "refrain/region.hpp"
#include "regions/region_root.hpp"
#include "regions/region_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace refrain::regions {
namespace {

/// Folds exclude one another on stretches of a region's elements. The locks are shared by all
/// regions: a region has none of its own, and one thread holds one at a time. Which one depends on the
/// elements, so that Clang's analysis of locks cannot follow.
class StretchLock {
  public:
    StretchLock(const void* elements, std::size_t element_bytes)
        : base_(reinterpret_cast<std::uintptr_t>(elements) / stretch_bytes),
          length_(std::max<std::size_t>(stretch_bytes / element_bytes, 1)) {}

    StretchLock(const StretchLock&) = delete;
    StretchLock& operator=(const StretchLock&) = delete;
    StretchLock(StretchLock&&) = delete;
    StretchLock& operator=(StretchLock&&) = delete;
    ~StretchLock() REFRAIN_THREAD_ANNOTATION(no_thread_safety_analysis) {
        if (held_ != nullptr) held_->unlock();
    }

    /// Locks the stretch of element `index`, instead of the one before. Returns how many elements,
    /// from `index` on, are in it.
    std::size_t take(std::size_t index) REFRAIN_THREAD_ANNOTATION(no_thread_safety_analysis) {
        const std::size_t stretch = index / length_;
        if (held_ == nullptr || stretch != stretch_) {
            if (held_ != nullptr) held_->unlock();  // before another one is taken
            held_ = &locks[(base_ + stretch) % locks.size()];
            held_->lock();
            stretch_ = stretch;
        }
        return (stretch + 1) * length_ - index;
    }

  private:
    static constexpr std::size_t stretch_bytes = std::size_t{64} << 10;
    static inline std::array<base::Mutex, 64> locks;

    std::uintptr_t base_;
    std::size_t length_;  // elements per stretch
    std::size_t stretch_ = 0;
    base::Mutex* held_ = nullptr;
};

}  // namespace

data::StoragePool& Storage::pool() const {
    return owner_->table->pool();
}

void Storage::open(const RegionRoot& owner, const data::SharedSpace& space,
                   std::size_t element_bytes, bool marks_writes) {
    REFRAIN_ASSERT(element_bytes <= UINT32_MAX, "an element of 4 GiB or more");
    owner_ = &owner;
    space_ = space;
    element_bytes_ = static_cast<std::uint32_t>(element_bytes);
    marks_writes_ = marks_writes;
}

void Storage::adopt(void* elements, std::function<void()> done) {
    rare_ = std::make_unique<Rare>();
    rare_->done = std::make_unique<std::function<void()>>(std::move(done));
    is_adopted_ = true;
    elements_.store(elements, std::memory_order_release);
}

std::size_t Storage::reserve() {
    if (is_reserved_ || is_adopted_) return 0;
    is_reserved_ = data::StoragePool::block_bytes(bytes()) <= pool().limit_bytes();
    return reserved_bytes();
}

void Storage::reset() noexcept {
    void* elements = elements_.load(std::memory_order_relaxed);  // no task uses it
    elements_.store(nullptr, std::memory_order_relaxed);
    if (elements != nullptr && !is_adopted_) pool().release(elements, bytes());
    is_adopted_ = false;
    is_reserved_ = false;
    const auto done = take_done();
    rare_.reset();
    if (done != nullptr && *done) (*done)();
}

std::unique_ptr<std::function<void()>> Storage::take_done() noexcept {
    return rare_ == nullptr ? nullptr : std::move(rare_->done);
}

void* Storage::allocate() {
    static std::array<base::Mutex, 64> locks;  // a storage has none of its own: there are many
    const base::LockGuard lock(locks[reinterpret_cast<std::uintptr_t>(this) / 64 % locks.size()]);
    void* known = elements_.load(std::memory_order_relaxed);  // I1: written under this lock
    if (known != nullptr) return known;                       // another worker was first
    if (marks_writes_ && rare_ == nullptr) {
        auto rare = std::make_unique<Rare>();
        rare->written =
            std::make_unique<data::WrittenElements>(bounds(), owner_->rank, name_of(*owner_));
        rare_ = std::move(rare);
    }
    try {
        known = pool().allocate(bytes());
    } catch (const OutOfMemory& refusal) {
        throw refusal.of_region(name_of(*owner_));
    }
    elements_.store(known, std::memory_order_release);
    return known;
}

/// `run_at(index, count)` gives the elements of the partial result from its position `index` on, as
/// many of `count` as are contiguous there; null if they are identities.
template <class RunAt>
void Storage::fold_runs(const data::ReductionFunctions& reduction, const data::Box& buffer,
                        const data::BoxSet& elements, const RunAt& run_at) {
    auto* into = static_cast<std::byte*>(ensure());
    StretchLock lock(into, element_bytes_);
    elements.for_each_box([&](const data::Box& box) {
        data::for_each_run(
            box, bounds(), buffer, [&](std::size_t to, std::size_t at, std::size_t count) {
                while (count > 0) {
                    auto run = run_at(at, count);
                    if (run.elements != nullptr) {
                        run.count = std::min(run.count, lock.take(to));
                        reduction.fold(into + to * element_bytes_, run.elements, run.count);
                    }
                    to += run.count;
                    at += run.count;
                    count -= run.count;
                }
            });
    });
}

void Storage::fold(const data::ReductionFunctions& reduction, const void* partial,
                   const data::Box& buffer, const data::BoxSet& elements) {
    const auto* from = static_cast<const std::byte*>(partial);
    if (elements.is_box() && elements.volume() == 1) {  // most reductions make one number
        const data::Coordinates& at = elements.bounds().lo;
        const auto to = static_cast<std::size_t>(data::linear_index(bounds(), at));
        const auto index = static_cast<std::size_t>(data::linear_index(buffer, at));
        auto* into = static_cast<std::byte*>(ensure());
        StretchLock lock(into, element_bytes_);
        lock.take(to);
        return reduction.fold(into + to * element_bytes_, from + index * element_bytes_, 1);
    }
    fold_runs(reduction, buffer, elements, [&](std::size_t at, std::size_t count) {
        return data::SparsePartial::Run{from + at * element_bytes_, count};
    });
}

void Storage::fold(const data::ReductionFunctions& reduction, const data::SparsePartial& partial,
                   const data::BoxSet& elements) {
    fold_runs(reduction, partial.bounds(), elements,
              [&](std::size_t at, std::size_t count) { return partial.run(at, count); });
}

}  // namespace refrain::regions
