#pragma once

#include "autotrace/history.hpp"
#include "refrain/autotrace.hpp"

#include <string>

namespace refrain::autotrace {

/// What the newest `window` tokens of the history say about the latest operation with this token.
///
///     history  c a b | x a b y      prospect(a): 2 occurrences, longest repeat {a b}, so 2 tokens
///
/// Complexity:  O(window) time and memory: for questions, not for every operation.
[[nodiscard]] Prospect look_back(const History& history, std::size_t window, const Token& token);

/// In sentences, why an operation that neither began nor went on a candidate did not.
[[nodiscard]] std::string explain(const Prospect& prospect, std::size_t trace_length_min,
                                  std::size_t multi_scale_factor);

}  // namespace refrain::autotrace
