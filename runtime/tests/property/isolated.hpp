/// Runs a function in a child process, so that a crash or a deadlock is a result like any other.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace refrain::property {

/// Returns what `body` returns or, if its process dies or does not end, a message that says so.
/// Changes by `body` have no effect here. The calling process must have a single thread.
///
/// `patience` is the time that the process may take. Where `progress` is given, it is the time
/// between two changes of what that returns: work of many steps may take any time, and on a busy
/// machine does. It is called here, so it reads memory that both processes share.
[[nodiscard]] std::string run_isolated(const std::function<std::string()>& body,
                                       std::chrono::milliseconds patience,
                                       const std::function<std::uint64_t()>& progress = {});

}  // namespace refrain::property
