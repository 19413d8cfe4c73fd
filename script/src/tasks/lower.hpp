#pragma once

#include "ir/program.hpp"
#include "leaves/leaf_table.hpp"
#include "tasks/task_program.hpp"

namespace refrain::script::tasks {

/// Makes the tasks of a program. `leaves` must outlive the result.
[[nodiscard]] TaskProgram lower_to_tasks(const ir::Program& program, const LeafTable& leaves);

}  // namespace refrain::script::tasks
