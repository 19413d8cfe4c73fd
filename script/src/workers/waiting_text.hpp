#pragma once

#include "engine/engine.hpp"
#include "syntax/sources.hpp"

#include <string>
#include <vector>

namespace refrain::script {

/// Why work waits at the end of a run, as a tree: the variables that nobody assigned, and who waits for them, directly
/// and through one another. What waits in a cycle is named as one.
///
///     'x' (hello.swift:3:5) was never assigned; waiting for it:
///       hello.swift:4:1: trace
///       hello.swift:5:1: if
///         'y' (hello.swift:3:8), which that would assign; waiting for it:
///           hello.swift:6:1: trace
[[nodiscard]] std::string explain_waiting(const std::vector<engine::WaitingTask>& tasks,
                                          const engine::Descriptions& data, const Sources& sources);

}  // namespace refrain::script
