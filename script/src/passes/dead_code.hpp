#pragma once

#include "ir/program.hpp"

namespace refrain::script::passes {

/// Removes what nobody can observe.
///
/// Afterwards: no pure operation and no assignment is left whose outputs nobody reads; no branch, wait or loop has empty
/// blocks (but waits that call a leaf); every variable is read or written; every function but `main` is called.
///
/// Assertions, output and leaves stay. What only dead code would have waited for, or failed at, is gone with it: a program
/// may end well that would have ended with waiting work.
///
/// STC's name: dead-code-elim.
[[nodiscard]] ir::Program remove_dead_code(ir::Program program);

}  // namespace refrain::script::passes
