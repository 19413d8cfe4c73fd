#pragma once

#include "syntax/diagnostics.hpp"
#include "typing/symbols.hpp"

#include <deque>

namespace refrain::script {

/// Reports what is certainly wrong in how a function uses its variables, and warns of what may be: two writes, a read
/// without a write, variables that wait for themselves, unused variables.
void check_usage(const std::deque<Symbol>& symbols, Diagnostics& diagnostics);

}  // namespace refrain::script
