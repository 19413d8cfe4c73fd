#pragma once

#include "analysis/footprint.hpp"
#include "base/mutex.hpp"
#include "regions/storage.hpp"

#include <cstdint>
#include <vector>

namespace refrain::regions {

/// Folds the partial results of one launch into one region in the order of its points, whichever point
/// finishes first.
///
///     points 0 {a b}, 1 {b c}, 2 {c d}; 2 finishes first:   folds d, keeps c until 1 has finished
///
/// A point that reduces the region through several arguments has one part per argument. The parts of a
/// point fold in the order of the arguments. A turn is one part of one point.
///
/// A later task that needs an element waits for exactly the points that reduce into it, and must find
/// all their contributions folded. So an element is folded as soon as all earlier turns that reduce into
/// it have finished. If one of those is unfinished, the contribution is kept, and the unfinished turn
/// folds it later.
///
///   add_part   launching thread, before the launch runs
///   deposit    any worker, once per point and part
///
/// I1  An element of a deposit is folded unless an unfinished earlier turn contains it.
/// I2  All turns below next_ are finished and folded.
///
/// Complexity:  deposit O(turns from the first unfinished one to the last finished one).
class FoldOrder {
  public:
    FoldOrder(Storage& storage, std::uint32_t points) : storage_(storage), points_(points) {}
    /// Frees deposits that were never folded: some points have not run.
    ~FoldOrder();
    FoldOrder(const FoldOrder&) = delete;
    FoldOrder& operator=(const FoldOrder&) = delete;
    FoldOrder(FoldOrder&&) = delete;
    FoldOrder& operator=(FoldOrder&&) = delete;

    /// Another argument of the launch reduces the region. Returns the number of its part.
    std::uint32_t add_part(const data::ReductionFunctions& reduction,
                           const analysis::Footprint& footprint);

    /// A point has finished. Takes ownership of `partial`, a pool block for the bounds of the point's
    /// subset; null if the point failed or was skipped.
    /// Errors: what the operator throws when it folds this deposit or one that waited for it.
    void deposit(std::uint32_t point, std::uint32_t part, void* partial);

  private:
    struct Part {
        const data::ReductionFunctions* reduction;
        const analysis::Footprint* footprint;
    };
    struct Deposit {
        void* partial = nullptr;
        data::BoxSet unfolded;  // of the subset
        bool finished = false;
    };
    [[nodiscard]] const Part& part_of(std::size_t turn) const {
        return parts_[turn % parts_.size()];
    }
    [[nodiscard]] const data::BoxSet& subset_of(std::size_t turn) const {
        return part_of(turn).footprint->subsets[turn / parts_.size()];
    }
    void fold_eligible() REFRAIN_REQUIRES(mutex_);
    void fold(std::size_t turn, const data::BoxSet& unfinished) REFRAIN_REQUIRES(mutex_);
    void release(std::size_t turn) REFRAIN_REQUIRES(mutex_);

    Storage& storage_;
    std::uint32_t points_;
    std::vector<Part> parts_;
    base::Mutex mutex_;
    std::size_t next_ REFRAIN_GUARDED_BY(mutex_) = 0;
    std::size_t end_ REFRAIN_GUARDED_BY(mutex_) = 0;  // no turn at or above this has finished
    std::vector<Deposit> deposits_ REFRAIN_GUARDED_BY(mutex_);
};

}  // namespace refrain::regions
