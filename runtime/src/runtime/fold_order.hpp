#pragma once

#include "analysis/footprint.hpp"
#include "base/mutex.hpp"
#include "runtime/storage.hpp"

#include <cstdint>
#include <vector>

namespace refrain::runtime {

/// Lets the tasks of one launch fold their partial results into one region in the order of their
/// points, whichever finishes first; a point that reduces through several arguments has as many
/// parts, which fold in the order of the arguments.
///
///     points 0 {a b}, 1 {b c}, 2 {c d}; 2 finishes first:   folds d, keeps c until 1 has finished
///
/// A later task that needs an element waits for exactly the points that reduce it, and must find
/// all of them folded. So an element is folded as soon as the points before have finished that
/// reduce it too, and what is kept back is folded by one of those.
///
///   add_part   launching thread, before the launch runs
///   deposit    any worker, once per point and part
///
/// I1  Every element of a deposit that no unfinished turn before it contains has been folded.
/// I2  All turns below next_ are finished and folded.
///
/// Complexity:  deposit O(turns that are out of order).
class FoldOrder {
  public:
    FoldOrder(Storage& storage, std::uint32_t points) : storage_(storage), points_(points) {}

    /// One more argument of the launch reduces the region; returns its part. Before the launch
    /// runs.
    std::uint32_t add_part(const data::ReductionFunctions& reduction,
                           const analysis::Footprint& footprint);

    /// Takes over `partial`, a pool block for the bounds of the point's subset, or null if the
    /// point failed or was skipped.
    /// Errors: what the operator throws, if it does as it folds this or what had waited for it.
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
    void fold_what_may_be() REFRAIN_REQUIRES(mutex_);
    void fold(std::size_t turn, const data::BoxSet& unfinished) REFRAIN_REQUIRES(mutex_);
    void release(std::size_t turn) REFRAIN_REQUIRES(mutex_);

    Storage& storage_;
    std::uint32_t points_;
    std::vector<Part> parts_;
    base::Mutex mutex_;
    std::size_t next_ REFRAIN_GUARDED_BY(mutex_) = 0;
    std::size_t end_ REFRAIN_GUARDED_BY(mutex_) = 0;  // no turn from here on has finished
    std::vector<Deposit> deposits_ REFRAIN_GUARDED_BY(mutex_);
};

}  // namespace refrain::runtime
