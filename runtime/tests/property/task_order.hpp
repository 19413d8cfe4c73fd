/// The order of tasks by definition: two tasks are ordered exactly if they use a common element in
/// ways that do not commute, or if that follows from futures, fences, waits of the host, or
/// transitively.
///
/// The runtime's dependences are compared up to transitive closure: it may omit an edge that others
/// imply, and must not order tasks that are unordered here.
#pragma once

#include <string>

#include "property/execute.hpp"

namespace refrain::property {

/// Describes the first pair of tasks that only one of the two orders; empty if there is none. The
/// run must have recorded its whole graph.
[[nodiscard]] std::string order_difference(const Program& program, const Execution& run);

}  // namespace refrain::property
