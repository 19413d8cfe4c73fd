#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphs/pattern.hpp"

namespace graphs {

/// A task before another one, as seen from the later one.
struct Predecessor {
    int steps_back = 1;
    int column = 0;
    friend bool operator==(const Predecessor&, const Predecessor&) = default;
};

/// The dependences of a task graph, tabulated.
///
///     TaskGraph graph({.pattern = Pattern::stencil_1d, .width = 4, .steps = 1000});
///     graph.inputs(7, 0)          -> 0 1          outputs of step 6 that it gets
///     graph.predecessors(7, 0)    -> (1 back, 0) (1 back, 1)
///
/// Outputs are kept in two rows that steps use in turn, as stencils do. A task therefore also waits
/// for those who read the output that it overwrites; for the writer itself where nobody did. These
/// are predecessors too. Tasks of `trivial` have no output that anyone gets, and no predecessors.
///
/// Complexity: tables of a few steps, since patterns repeat: O(width) steps.
/// Threads: reading is safe.
class TaskGraph {
  public:
    explicit TaskGraph(const Shape& shape);

    [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
    [[nodiscard]] std::int64_t task_count() const noexcept { return task_count_; }
    [[nodiscard]] bool has_outputs() const noexcept { return shape_.pattern != Pattern::trivial; }

    /// Between these steps the graph repeats every period() steps; rows of outputs included.
    [[nodiscard]] int first_steady_step() const noexcept { return ramp_up_; }
    [[nodiscard]] int last_steady_step() const noexcept { return shape_.steps - ramp_down_; }
    [[nodiscard]] int period() const noexcept { return period_; }

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
    [[nodiscard]] int table_row(int step) const noexcept;
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

/// The plain definition of TaskGraph::predecessors.
[[nodiscard]] std::vector<Predecessor> predecessors_of(const Shape& shape, int step, int column);

}  // namespace graphs
