#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Task graphs as in Slaughter et al., "Task Bench: A Parameterized Benchmark for Evaluating
/// Parallel Runtime Performance", SC 2020: a grid of steps and columns, where a task gets the
/// outputs of some columns of the step before it.
///
///     stencil_1d, 4 columns       step 1   0 1 2 3
///                                          |X|X|X|
///                                 step 0   0 1 2 3
namespace graphs {

/// The columns of the previous step that a task depends on.
enum class Pattern {
    trivial,              // none
    no_comm,              // its own
    stencil_1d,           // its own and both neighbours
    stencil_1d_periodic,  // the same on a ring
    dom,                  // its own and the lower neighbour: a wave that sweeps over the columns
    tree,                 // half its own number: the width doubles until all columns exist
    fft,                  // its own and both at distance 1, 2, 4, ... in turn
    nearest,              // `radix` columns around its own
    spread,               // `radix` columns spread evenly, shifted from step to step
    all_to_all,           // all
};

[[nodiscard]] const std::vector<Pattern>& all_patterns();
[[nodiscard]] std::string_view name_of(Pattern pattern);
/// The pattern of that name, if there is one.
[[nodiscard]] std::optional<Pattern> pattern_named(std::string_view name);

/// The pattern and the size of a graph.
struct Shape {
    Pattern pattern = Pattern::stencil_1d;
    int width = 4;     // columns
    int steps = 1000;  // the height of the graph
    int radix = 5;     // of nearest and spread; at most `width`
    friend bool operator==(const Shape&, const Shape&) = default;
};

/// The columns [first, first + count) that have a task at a step.
struct Columns {
    int first = 0;
    int count = 0;
    [[nodiscard]] bool contains(int column) const noexcept {
        return column >= first && column < first + count;
    }
};

/// dom grows from column 0 and shrinks at the end; tree doubles; all other patterns have full
/// steps.
[[nodiscard]] Columns columns_of(const Shape& shape, int step);

/// The number of dependence sets between which the steps alternate: 1, except for fft and spread.
[[nodiscard]] int dependence_sets(const Shape& shape);
[[nodiscard]] int dependence_set(const Shape& shape, int step);

/// The columns that `column` depends on in a dependence set, ascending, without duplicates.
/// Includes columns without a task at the previous step: see inputs_of().
///
///     fft, set 1, width 8, column 5   -> 3 5 7
[[nodiscard]] std::vector<int> dependences(const Shape& shape, int set, int column);

/// The columns of step - 1 whose outputs the task reads.
[[nodiscard]] std::vector<int> inputs_of(const Shape& shape, int step, int column);

}  // namespace graphs
