#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphs/pattern.hpp"

namespace graphs {

/// A predecessor, relative to the later task.
struct Predecessor {
    int steps_back = 1;
    int column = 0;
    friend bool operator==(const Predecessor&, const Predecessor&) = default;
};

/// The dependences of a task graph, tabulated.
///
///     TaskGraph graph({.pattern = Pattern::stencil_1d, .width = 4, .steps = 1000});
///     graph.inputs(7, 0)          -> 0 1          outputs of step 6 that it reads
///     graph.predecessors(7, 0)    -> (1 back, 0) (1 back, 1)
///
/// Outputs are in two rows that steps use in turn, as in stencil codes. So a task also waits for
/// the readers of the output that it overwrites, or for its writer if there are none; these are
/// predecessors too. Tasks of `trivial` have no readers and no predecessors.
///
/// Complexity: O(width) table entries per step, for a few steps, because patterns repeat.
/// Threads: reading is safe.
class TaskGraph {
  public:
    explicit TaskGraph(const Shape& shape);

    [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
    [[nodiscard]] std::int64_t task_count() const noexcept { return task_count_; }
    [[nodiscard]] bool has_outputs() const noexcept { return shape_.pattern != Pattern::trivial; }

    /// The first step from which the graph, including its rows of outputs, repeats every period()
    /// steps.
    [[nodiscard]] int first_steady_step() const noexcept { return ramp_up_; }
    [[nodiscard]] int last_steady_step() const noexcept { return shape_.steps - ramp_down_; }
    [[nodiscard]] int period() const noexcept { return period_; }

    /// Steps of one row have the same columns, inputs and predecessors.
    [[nodiscard]] int table_row(int step) const noexcept;

    [[nodiscard]] Columns columns(int step) const { return columns_of(shape_, step); }
    [[nodiscard]] std::span<const int> inputs(int step, int column) const noexcept {
        return entry(step, column).inputs;
    }
    [[nodiscard]] std::span<const Predecessor> predecessors(int step, int column) const noexcept {
        return entry(step, column).predecessors;
    }

  private:
    struct Entry {
        std::vector<int> inputs;
        std::vector<Predecessor> predecessors;
    };
    [[nodiscard]] const Entry& entry(int step, int column) const noexcept {
        return table_[static_cast<std::size_t>(table_row(step) * shape_.width + column)];
    }

    Shape shape_;
    int period_;
    int ramp_up_;
    int ramp_down_;
    std::int64_t task_count_ = 0;
    std::vector<Entry> table_;
};

/// The definition of TaskGraph::predecessors, computed without tables.
[[nodiscard]] std::vector<Predecessor> predecessors_of(const Shape& shape, int step, int column);

}  // namespace graphs
