/// Runs a function in a child process, so that a crash or a deadlock is a result like any other.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace refrain::property {

/// Returns what `body` returns or, if its process dies or exceeds the deadline, a message that says
/// so. Changes by `body` have no effect here. The calling process must have a single thread.
[[nodiscard]] std::string run_isolated(const std::function<std::string()>& body,
                                       std::chrono::milliseconds timeout);

}  // namespace refrain::property
