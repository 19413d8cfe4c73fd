#pragma once

#include "ir/program.hpp"

namespace refrain::script::passes {

/// Puts the turns of a range loop one behind the other where it stands, if its ends are constants.
///
///     range counter i int in [1, 2, 1] { store [A[i]] [i] }   ->   store [A[1]] [1]  store [A[2]] [2]
///
/// Afterwards: no such loop is left of at most 15 turns, and 256 instructions in all, whose turns are brief. Calls stay in tasks
/// of their own, which run side by side.
///
/// STC's name: expand-loops. Source: the paper, 4.5; the thresholds are the original's.
[[nodiscard]] ir::Program expand_loops(ir::Program program);

}  // namespace refrain::script::passes
