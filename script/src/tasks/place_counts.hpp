#pragma once

#include "tasks/task_program.hpp"

namespace refrain::script::tasks {

enum class Counting : std::uint8_t { plain, merged, weighted };

/// Puts in the changes of counts. Before, the code of a task changes none; afterwards each task returns, or hands on, exactly
/// the counts that it is given of each datum among its captures: `read_share`, and `write_share` if it writes.
///
/// Plain: an increment before each spawn, per datum; a decrement at the end of the block that made the datum.
/// Merged: what a datum needs in a block is added up.
///   - The last child that uses a datum takes over the count of its parent (cancelled).
///   - All other increments of a block are one, at its start (merged), or are part of its creation.
///   - A decrement rides on the last assignment, if that is the last use; or on the answer to a subscription, if the task
///     does nothing with the datum but wait for it, or for one element.
///   - The arms of a branch that is the last use take over the count, each for itself.
///   - The turns of a loop get theirs together (batched).
///   - What an arm does not use is returned at its begin, so that it rides on what the arm does.
/// Weighted: merged, and a task is given what its children will need on any path, so that passing a datum on splits a share and
/// only what is left returns. How large a share is is known before the run. A loop whose turns only the run can count is given
/// plenty, and its first turn returns what was too much; if it was too little, the loop asks for more.
///
/// Source: the paper, 4.7; the rule of the last use is that of A. Reinking et al., Perceus (2021); weights: D. Bevan, Distributed
/// garbage collection using reference counting (1987), with shares that the compiler finds.
[[nodiscard]] TaskProgram place_counts(UncountedTasks program, Counting how);

}  // namespace refrain::script::tasks
