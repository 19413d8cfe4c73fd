#include "report/trace_book.hpp"

namespace refrain::report {

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

void TraceBook::append(SiteId site, std::uint32_t points, std::span<const Source> sources) {
    if (current_ == &others_) return;
    const auto position = static_cast<std::uint32_t>(current_->length++);
    if (operations_ == operations_max) return;
    ++operations_;
    TraceRecord::Operation operation{site, points, false};
    for (const Source& source : sources) {
        if (source.distance > position) {
            operation.looks_beyond = true;
        } else if (edges_ < edges_max) {
            ++edges_;
            current_->edges.push_back({position - static_cast<std::uint32_t>(source.distance),
                                       position, source.carries_data});
        }
    }
    current_->operations.push_back(operation);
}

}  // namespace refrain::report
