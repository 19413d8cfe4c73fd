/// Runs something in a process of its own, so that a crash or a deadlock is an answer as good as
/// any other.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace refrain::property {

/// What `body` returns; or, if its process died or took too long, what became of it. Nothing that
/// `body` changes is seen here. The calling process must have one thread.
[[nodiscard]] std::string run_isolated(const std::function<std::string()>& body,
                                       std::chrono::milliseconds timeout);

}  // namespace refrain::property
