#include "page/trace_book.hpp"

#include <algorithm>

namespace refrain::page {

void TraceBook::begin(std::uint64_t id, bool automatic, std::uint64_t first_operation) {
    const auto known = by_id_.find(id);
    if (known != by_id_.end()) {
        current_ = &traces_[known->second];
    } else if (traces_.size() < traces_max) {
        by_id_.emplace(id, traces_.size());
        traces_.reserve(traces_max);  // records do not move while they are open
        current_ = &traces_.emplace_back();
        current_->id = id;
        current_->automatic = automatic;
        current_->first_operation = first_operation;
    } else {
        if (id > newest_other_) ++other_count_;  // an estimate, if the program counts down
        newest_other_ = std::max(newest_other_, id);
        current_ = &others_;
    }
    ++current_->executions;
}

}  // namespace refrain::page
