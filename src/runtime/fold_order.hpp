#pragma once

#include "base/mutex.hpp"
#include "runtime/storage.hpp"

#include <cstdint>
#include <vector>

namespace refrain::runtime {

/// Lets the points of one launch fold their partial results in the order of their numbers,
/// whichever finishes first.
///   deposit    any worker, once per point
/// I1  next_ is the lowest point that has not folded; deposits_ holds those of higher points that
/// are ready. Whoever deposits for next_ folds for it and for all that wait directly behind it.
class FoldOrder {
  public:
    FoldOrder(Storage& storage, const data::ReductionFunctions& reduction, std::uint32_t points)
        : storage_(storage), reduction_(reduction), deposits_(points) {}

    /// Takes `partial` over, a pool block of `bytes`, or null if the point failed or was skipped.
    void deposit(std::uint32_t point, void* partial, std::size_t bytes, const data::BoxSet& subset);

  private:
    struct Deposit {
        void* partial = nullptr;
        std::size_t bytes = 0;
        const data::BoxSet* subset = nullptr;
        bool ready = false;
    };

    Storage& storage_;
    const data::ReductionFunctions& reduction_;
    base::Mutex mutex_;
    std::uint32_t next_ REFRAIN_GUARDED_BY(mutex_) = 0;
    std::vector<Deposit> deposits_ REFRAIN_GUARDED_BY(mutex_);
};

}  // namespace refrain::runtime
