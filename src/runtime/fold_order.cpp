#include "runtime/fold_order.hpp"

namespace refrain::runtime {

void FoldOrder::deposit(std::uint32_t point, void* partial, std::size_t bytes,
                        const data::BoxSet& subset) {
    const base::LockGuard lock(mutex_);
    deposits_[point] = {partial, bytes, &subset, true};
    for (; next_ < deposits_.size() && deposits_[next_].ready; ++next_) {  // I1
        Deposit& deposit = deposits_[next_];
        if (deposit.partial == nullptr) continue;
        storage_.fold(reduction_, deposit.partial, *deposit.subset);
        storage_.pool().release(deposit.partial, deposit.bytes);
        deposit.partial = nullptr;
    }
}

}  // namespace refrain::runtime
