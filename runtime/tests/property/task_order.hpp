/// Which tasks of a program must wait for which, by the definition: every pair of tasks that touch
/// a common element in ways that do not commute is ordered, and nothing else is, but what follows
/// from that, from futures, from fences, and from the host's waiting.
///
/// The runtime's dependences are compared with it up to transitive closure: it may leave an edge
/// out that follows from others, and may not order what is not ordered here.
#pragma once

#include <string>

#include "property/execute.hpp"

namespace refrain::property {

/// The first pair of tasks that one orders and the other does not, in words; empty if there is
/// none. The run must have kept its graph and dropped nothing.
[[nodiscard]] std::string order_difference(const Program& program, const Execution& run);

}  // namespace refrain::property
