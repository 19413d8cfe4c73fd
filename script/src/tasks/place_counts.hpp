#pragma once

#include "tasks/task_program.hpp"

namespace refrain::script::tasks {

/// Puts in the changes of counts. Before, the code of a task changes none; afterwards each task returns, or hands on, exactly
/// the counts that it is given: one read count of each datum among its captures, and one write count if it writes.
///
/// Plain: an increment before each spawn, per datum; a decrement at the end of the block that made the datum.
/// Merged: what a datum needs in a block is added up.
///   - The last child that uses a datum takes over the count of its parent (cancelled).
///   - All other increments of a block are one, at its start (merged), or are part of its creation.
///   - A decrement rides on the last assignment, if that is the last use; or on the answer to a subscription, if the task
///     does nothing with the datum but wait for it, or for one element.
///   - The arms of a branch that is the last use take over the count, each for itself.
///   - The turns of a loop get theirs together (batched).
///
/// Source: the paper, 4.7; the rule of the last use is that of A. Reinking et al., Perceus (2021).
void place_counts(TaskProgram& program, bool merged);

}  // namespace refrain::script::tasks
