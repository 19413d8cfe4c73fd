#pragma once

#include "ir/program.hpp"

namespace refrain::script::passes {

/// Expands asynchronous operations: `compute f [o] [a, b]` becomes a wait for a and b around the operation on values.
///
///     wait [a, b] { load [v] [a]  load [v.2] [b]  compute_now f [w] [v, v.2]  store [o] [w] }
///
/// Afterwards: no `copy` of a scalar is left; no `compute` but those that take long or make files; no `leaf` but those that
/// make files. Keys of what was expanded are constants or local values. The number of tasks is the same: other passes
/// merge them.
///
/// STC's name: dataflow-op-inline. Source: the paper, 4.5, asynchronous op expansion.
[[nodiscard]] ir::Program expand_operations(ir::Program program);

}  // namespace refrain::script::passes
