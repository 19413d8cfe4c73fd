#include "observe/dependence_log.hpp"

#include <algorithm>
#include <utility>

namespace refrain::observe {

void DependenceLog::add(Operation operation) {
    if (is_full()) thin_out();
    if (is_full() || !Sampling::is_kept(operation.number - first_, level_)) return;
    if (pairs_ >= pairs_max)
        for (Edge& edge : operation.edges) {
            edge.left_out += edge.pairs.size();
            edge.pairs.clear();
        }
    edges_ += operation.edges.size();
    for (const Edge& edge : operation.edges) pairs_ += edge.pairs.size();
    operations_.push_back(std::move(operation));
}

bool DependenceLog::holds(std::uint64_t number) const {
    const auto at = std::lower_bound(
        operations_.begin(), operations_.end(), number,
        [](const Operation& operation, std::uint64_t wanted) { return operation.number < wanted; });
    return at != operations_.end() && at->number == number;
}

/// Stops at a level that keeps nothing, even if the log is still full.
void DependenceLog::thin_out() {
    while (is_full() && level_ < Sampling::level_max) {
        ++level_;
        std::erase_if(operations_, [&](const Operation& operation) {
            return !Sampling::is_kept(operation.number - first_, level_);
        });
        edges_ = pairs_ = 0;
        for (const Operation& operation : operations_) {
            edges_ += operation.edges.size();
            for (const Edge& edge : operation.edges) pairs_ += edge.pairs.size();
        }
    }
}

}  // namespace refrain::observe
