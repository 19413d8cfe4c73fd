#include "runtime/fold_order.hpp"

#include <algorithm>

namespace refrain::runtime {

std::uint32_t FoldOrder::add_part(const data::ReductionFunctions& reduction,
                                  const analysis::Footprint& footprint) {
    parts_.push_back({&reduction, &footprint});
    const base::LockGuard lock(mutex_);
    deposits_.resize(parts_.size() * points_);
    return static_cast<std::uint32_t>(parts_.size() - 1);
}

void FoldOrder::deposit(std::uint32_t point, std::uint32_t part, void* partial) {
    const std::size_t turn = point * parts_.size() + part;
    const base::LockGuard lock(mutex_);
    Deposit& own = deposits_[turn];
    own.partial = partial;
    if (partial != nullptr) own.unfolded = subset_of(turn);
    own.finished = true;
    end_ = std::max(end_, turn + 1);

    data::BoxSet unfinished;
    for (std::size_t t = next_; t < end_; ++t) {
        if (!deposits_[t].finished)
            unfinished = unfinished.unite(subset_of(t));
        else if (deposits_[t].partial != nullptr)
            fold(t, unfinished);  // I1
    }
    while (next_ < end_ && deposits_[next_].finished && deposits_[next_].partial == nullptr)
        ++next_;  // I2
}

/// Folds what no unfinished turn before contains.
void FoldOrder::fold(std::size_t turn, const data::BoxSet& unfinished) {
    Deposit& deposit = deposits_[turn];
    const data::BoxSet elements = deposit.unfolded.subtract(unfinished);
    storage_.fold(*part_of(turn).reduction, deposit.partial, subset_of(turn).bounds(), elements);
    deposit.unfolded = deposit.unfolded.intersect(unfinished);
    if (deposit.unfolded.empty()) release(turn);
}

void FoldOrder::release(std::size_t turn) {
    const auto count = static_cast<std::size_t>(subset_of(turn).bounds().volume());
    storage_.pool().release(deposits_[turn].partial,
                            count * part_of(turn).reduction->element_bytes);
    deposits_[turn].partial = nullptr;
}

}  // namespace refrain::runtime
