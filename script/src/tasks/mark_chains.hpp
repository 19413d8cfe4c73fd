#pragma once

#include "tasks/task_program.hpp"

namespace refrain::script::tasks {

/// Sets TaskDefinition::chain of all. A cell that assigns A[i] and waits for A[i - 1] is a chain of tasks, so is the loop that
/// makes such cells, and a loop around that is one of loops.
void mark_chains(TaskProgram& program);

}  // namespace refrain::script::tasks
