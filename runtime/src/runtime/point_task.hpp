#pragma once

#include "graph/node.hpp"

namespace refrain::runtime {

/// How the graph runs a point of an Operation: finds its elements, makes private partial results
/// for reductions, calls the task, folds. A task that throws makes the point fail; its partial
/// results are dropped.
bool run_point(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

/// The same, and writes down when, in the task log of the worker.
bool run_logged_point(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

/// What a point that must not run leaves undone: its turn in the order of folds passes.
bool skip_point(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

/// The same for an operation that does nothing.
bool run_nothing(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

}  // namespace refrain::runtime
