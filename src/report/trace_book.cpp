#include "report/trace_book.hpp"

#include <algorithm>

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
        } else {
            add_edge({position - static_cast<std::uint32_t>(source.distance), position,
                      source.carries_data});
        }
    }
    current_->operations.push_back(operation);
}

/// Two operations have one edge: of several reasons to wait, data flow is the one that is told.
void TraceBook::add_edge(const TraceRecord::Edge& edge) {
    std::vector<TraceRecord::Edge>& edges = current_->edges;
    for (auto known = edges.rbegin(); known != edges.rend() && known->to == edge.to; ++known) {
        if (known->from != edge.from) continue;
        known->carries_data = known->carries_data || edge.carries_data;
        return;
    }
    if (edges_ == edges_max) return;
    ++edges_;
    edges.push_back(edge);
}

}  // namespace refrain::report
