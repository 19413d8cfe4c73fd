#pragma once

#include "ir/program.hpp"

namespace refrain::script::passes {

/// Puts the body of a function where it is called.
///
/// A function is inlined if it is not recursive and is called once, or if its instructions times its calls are fewer than 500.
/// A call with an element that is a container stays: its task gets the element's id.
///
/// Afterwards: no such call is left. Names of inlined variables are new.
///
/// STC's name: function-inline. Source: the paper, 4.5; the threshold is the original's.
[[nodiscard]] ir::Program inline_functions(ir::Program program);

}  // namespace refrain::script::passes
