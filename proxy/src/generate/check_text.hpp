#pragma once

#include "events/function_table.hpp"

#include <set>
#include <string>

namespace refrain::proxy {

/// Whether `--check` can verify what a proxy with these functions receives: it sends and receives, and each message is known
/// by the call that sends it and the one that receives it. Persistent and matched messages, and those that are cancelled,
/// are not.
[[nodiscard]] bool can_check(const std::set<Function>& used);

/// C99 code for `--check`: senders fill each message with bytes computed from their rank and the tag, and receivers compute
/// the same bytes and compare those that arrive. Macros named like the calls of MPI add this; the calls in the program stay
/// unchanged.
///
/// Needs `checks`, `wrong_messages` and `checked_messages` of the frame, before it.
[[nodiscard]] const char* check_text();

}  // namespace refrain::proxy
