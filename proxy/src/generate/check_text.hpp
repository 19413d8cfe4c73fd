#pragma once

#include "events/function_table.hpp"

#include <set>
#include <string>

namespace refrain::proxy {

/// Whether `--check` can verify what a proxy with these functions receives: it sends and receives, and each message is known
/// by the call that sends it and the one that receives it. Persistent and matched messages, and those that are cancelled,
/// are not.
[[nodiscard]] bool can_check(const std::set<Function>& used);

/// C99: with `--check` each message has bytes that follow from its sender and its tag, and whoever receives it compares. The
/// calls of the program stay what they are: macros of their names add what is done before and behind.
///
/// Needs `checks`, `wrong_messages` and `checked_messages` of the frame, before it.
[[nodiscard]] const char* check_text();

}  // namespace refrain::proxy
