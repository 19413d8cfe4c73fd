#pragma once

#include "tasks/task_program.hpp"

namespace refrain::script::tasks {

/// Sets TaskDefinition::chain and urgency of all. A cell that assigns A[i] and waits for A[i - 1] is a chain of tasks, so is the
/// loop that makes such cells, and a loop around that is one of loops. Where priorities are computed, any task may lead to the
/// most urgent call: by what it makes, or by a value that another call waits for.
void mark_chains(TaskProgram& program);

}  // namespace refrain::script::tasks
