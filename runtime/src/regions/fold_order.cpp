#include "regions/fold_order.hpp"

#include <algorithm>
#include <exception>

namespace refrain::regions {

FoldOrder::~FoldOrder() {
    const base::LockGuard lock(mutex_);
    for (std::size_t turn = next_; turn < end_; ++turn)
        if (deposits_[turn].partial != nullptr) release(turn);
}

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
    fold_eligible();
}

/// Restores I1 and I2, even if an operator throws.
void FoldOrder::fold_eligible() {
    std::exception_ptr thrown;
    data::BoxSet unfinished;
    for (std::size_t turn = next_; turn < end_; ++turn) {
        if (!deposits_[turn].finished) {
            unfinished = unfinished.unite(subset_of(turn));
        } else if (deposits_[turn].partial != nullptr) {
            try {
                fold(turn, unfinished);
            } catch (...) {
                thrown = std::current_exception();
                release(turn);
            }
        }
    }
    while (next_ < end_ && deposits_[next_].finished && deposits_[next_].partial == nullptr)
        ++next_;  // I2
    if (thrown) std::rethrow_exception(thrown);
}

/// Folds the elements that no unfinished earlier turn contains.
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

}  // namespace refrain::regions
