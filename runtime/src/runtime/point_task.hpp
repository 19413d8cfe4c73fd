#pragma once

#include "graph/node.hpp"

namespace refrain::runtime {

/// Runs a point of an Operation for the graph: finds its elements, makes private partial results
/// for reductions, calls the task, folds. Returns false if the task throws; its partial results are
/// dropped.
bool run_point(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

/// The same with strict reads: lends the marks of written elements to the task's views.
bool run_watched_point(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

/// As RunContext::run, and records begin and end in the worker's task log.
bool run_logged_point(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

/// Called for a point that must not run: skips its turn in the fold order.
bool skip_point(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

/// Runs the point of an operation that does nothing.
bool run_nothing(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

}  // namespace refrain::runtime
