#pragma once

#include "graph/node.hpp"

namespace refrain::runtime {

/// Runs points of an Operation for the graph (graph::RunPoints): finds their elements, makes private
/// partial results for reductions, calls the task, folds. A point fails if its task throws; its partial
/// results are dropped.
std::uint64_t run_points(graph::Node& node, std::uint32_t first, std::uint64_t points,
                         std::uint32_t worker) noexcept;

/// Asks for the lines of the elements that the points use, the first of each argument (graph::FetchPoints).
void fetch_points(const graph::Node& node, std::uint32_t first, std::uint64_t points) noexcept;

/// The same with strict reads: lends the marks of written elements to the tasks' views.
std::uint64_t run_watched_points(graph::Node& node, std::uint32_t first, std::uint64_t points,
                                 std::uint32_t worker) noexcept;

/// As RunContext::run, and records begin and end of each point in the worker's task log.
std::uint64_t run_logged_points(graph::Node& node, std::uint32_t first, std::uint64_t points,
                                std::uint32_t worker) noexcept;

/// Called for a point that must not run: skips its turn in the fold order.
bool skip_point(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept;

/// Runs the point of an operation that does nothing.
std::uint64_t run_nothing(graph::Node& node, std::uint32_t first, std::uint64_t points,
                          std::uint32_t worker) noexcept;

}  // namespace refrain::runtime
