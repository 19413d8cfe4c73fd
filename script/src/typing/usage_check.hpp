#pragma once

#include "syntax/diagnostics.hpp"
#include "typing/symbols.hpp"

#include <deque>
#include <vector>

namespace refrain::script {

/// Reports what is certainly wrong in how a function uses its variables, and warns of what may be: two writes, a read
/// without a write, waiting for what only the own body assigns, unused variables.
void check_usage(const std::deque<Symbol>& symbols, const std::vector<Awaited>& awaited,
                 Diagnostics& diagnostics);

}  // namespace refrain::script
