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

}  // namespace refrain::script::tasks
