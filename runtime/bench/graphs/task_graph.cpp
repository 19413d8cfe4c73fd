#include "graphs/task_graph.hpp"

#include <algorithm>
#include <numeric>

namespace graphs {
namespace {

/// The first step from which the graph repeats: all columns exist, and the overwritten row of
/// outputs was written by a step with all columns.
int ramp_up_of(const Shape& shape) {
    if (shape.pattern == Pattern::dom) return std::min(shape.steps, shape.width + 2);
    if (shape.pattern == Pattern::tree) {
        int step = 0;
        while (step < shape.steps && columns_of(shape, step).count < shape.width) ++step;
        return std::min(shape.steps, step + 2);
    }
    return std::min(shape.steps, 2);
}

}  // namespace

TaskGraph::TaskGraph(const Shape& shape)
    : shape_(shape),
      period_(std::lcm(2, dependence_sets(shape))),
      ramp_up_(ramp_up_of(shape)),
      ramp_down_(shape.pattern == Pattern::dom ? std::min(shape.width, shape.steps - ramp_up_)
                                               : 0) {
    table_.resize(static_cast<std::size_t>((ramp_up_ + period_ + ramp_down_) * shape.width));
    std::vector<bool> filled(static_cast<std::size_t>(ramp_up_ + period_ + ramp_down_));
    for (int step = 0; step < shape.steps; ++step) {
        const Columns active = columns(step);
        task_count_ += active.count;
        const int row = table_row(step);
        if (filled[static_cast<std::size_t>(row)]) continue;
        filled[static_cast<std::size_t>(row)] = true;
        for (int c = active.first; c < active.first + active.count; ++c)
            table_[static_cast<std::size_t>(row * shape.width + c)] = {
                inputs_of(shape, step, c), predecessors_of(shape, step, c)};
    }
}

int TaskGraph::table_row(int step) const noexcept {
    if (step < ramp_up_) return step;
    const int last = last_steady_step();
    if (step >= last) return ramp_up_ + period_ + (step - last);
    return ramp_up_ + (step - ramp_up_) % period_;
}

std::vector<Predecessor> predecessors_of(const Shape& shape, int step, int column) {
    std::vector<Predecessor> all;
    if (shape.pattern == Pattern::trivial) return all;
    for (const int c : inputs_of(shape, step, column)) all.push_back({1, c});
    if (!columns_of(shape, step - 2).contains(column)) return all;
    bool was_read = false;
    const Columns readers = columns_of(shape, step - 1);
    for (int c = readers.first; c < readers.first + readers.count; ++c) {
        const std::vector<int> inputs = inputs_of(shape, step - 1, c);
        if (std::find(inputs.begin(), inputs.end(), column) == inputs.end()) continue;
        was_read = true;
        if (std::find(all.begin(), all.end(), Predecessor{1, c}) == all.end())
            all.push_back({1, c});
    }
    if (!was_read) all.push_back({2, column});
    return all;
}

}  // namespace graphs
