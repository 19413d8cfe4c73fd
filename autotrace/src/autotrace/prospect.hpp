#pragma once

#include "autotrace/history.hpp"
#include "refrain/autotrace.hpp"

namespace refrain::autotrace {

/// What the newest `window` tokens of the history say about the latest operation with this token.
///
///     history  c a b | x a b y      prospect(a): 2 occurrences, longest repeat {a b}, so 2 tokens
///
/// Complexity:  O(window) time and memory: for questions, not for every operation.
[[nodiscard]] Prospect look_back(const History& history, std::size_t window, const Token& token);

}  // namespace refrain::autotrace
