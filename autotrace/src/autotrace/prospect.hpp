#pragma once

#include "autotrace/history.hpp"
#include "refrain/autotrace.hpp"

namespace refrain::autotrace {

/// Examines the newest `window` tokens of the history around the latest occurrence of the token.
///
///     history  c a b | x a b y      prospect of a: 2 occurrences, longest repeat {a b}, so 2
///     tokens
///
/// Complexity:  O(window) time and memory: for diagnostics, not for every operation.
[[nodiscard]] Prospect prospect_of(const History& history, std::size_t window, const Token& token);

}  // namespace refrain::autotrace
