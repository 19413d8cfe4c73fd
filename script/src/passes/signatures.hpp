#pragma once

#include "ir/program.hpp"

namespace refrain::script::passes {

/// Functions that can do nothing without an input take its value instead of a datum: the caller waits for it, or has it.
///
///     function fib (output o int) (input i int) { wait [i] { load [v] [i] ... call fib [f] [t] } }
///     ->  function fib (output o int) (local i int) { ... wait [t] { load [w] [t] call fib [f] [w] } }
///
/// Afterwards: no function but `main` has a scalar datum among its inputs whose value all that it does depends on.
///
/// STC's name: function-signature. Source: the paper, 4.5.
[[nodiscard]] ir::Program pass_values(ir::Program program);

}  // namespace refrain::script::passes
