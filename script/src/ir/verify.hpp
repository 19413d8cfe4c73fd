#pragma once

#include "ir/program.hpp"

#include <string>

namespace refrain::script::ir {

/// Checks what holds of every program between any two passes:
///
/// V1  A variable is used only inside the block, loop or function that declares it, and declared once.
/// V2  Constants, loop variables and local values are never assigned but by `load`, `compute_now` and `leaf_now`.
/// V3  A `load` stands in the task that waits for what it loads.
/// V4  Calls name functions that are there, with as many inputs and outputs; outputs of calls are variables.
/// V5  `next` stands inside a carried loop, with as many operands as it carries.
/// V6  Conditions of `if` and `switch` are local values or constants.
/// V7  A local value is made before it is used.
/// V8  A task has one `leaf_now`, which stands in no branch and in no wait that is no task.
///
/// Errors: base::InternalError or an abort (see base/assertion.hpp); names `made_by`, the function and the fault.
void verify(const Program& program, const std::string& made_by);

/// The first fault; empty if there is none.
[[nodiscard]] std::string fault_of(const Program& program);

}  // namespace refrain::script::ir
