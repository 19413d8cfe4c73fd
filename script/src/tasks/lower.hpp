#pragma once

#include "ir/program.hpp"
#include "leaves/leaf_table.hpp"
#include "tasks/place_counts.hpp"
#include "tasks/task_program.hpp"

namespace refrain::script::tasks {

struct LoweringOptions {
    Counting counting = Counting::weighted;
    RunTimeSwitches switches{};
};

/// Makes the tasks of a program. `leaves` must outlive the result.
[[nodiscard]] TaskProgram lower_to_tasks(const ir::Program& program, const LeafTable& leaves,
                                         const LoweringOptions& options = {});

/// Sets TaskDefinition::chain and urgency of all. A cell that assigns A[i] and waits for A[i - 1] is a chain of tasks, so is the
/// loop that makes such cells, and a loop around that is one of loops. Where priorities are computed, any task may lead to the
/// most urgent call: by what it makes, or by a value that another call waits for.
void mark_chains(TaskProgram& program);

}  // namespace refrain::script::tasks
