#pragma once

#include "ir/program.hpp"

namespace refrain::script::passes {

/// Moves what every turn of a range loop waits for out of the loop: one task waits instead of one per turn.
///
///     range counter i int in [1, n, 1] { wait [x, y] { load [v] [x] ... } }
///     ->  local some boolean  compute_now at_most_int [some] [1, n]
///         if some { wait [x] { load [v] [x]  range counter i int in [1, n, 1] { wait [y] { ... } } } }
///
/// A loop without turns waits for nothing: hence the branch, which value numbering removes if both ends are known. A loop in
/// which anything happens before the value is there stays as it is: nothing that lets others start is delayed.
///
/// Afterwards: no scalar datum that is made outside a range loop of known ends is waited for by all that happens in it. A wait
/// for nothing else is left without operands, for value numbering to remove.
///
/// STC's name: hoisting. Source: the paper, 4.5.
[[nodiscard]] ir::Program hoist_waits(ir::Program program);

}  // namespace refrain::script::passes
