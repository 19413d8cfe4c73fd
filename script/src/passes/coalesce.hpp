#pragma once

#include "ir/program.hpp"

namespace refrain::script::passes {

/// Restructures tasks: who waits moves to where it need not wait.
///
///     push down   wait [x] { B } moves behind the assignment of x, into the task that makes it; value numbering then
///                 finds that there is nothing to wait for. Data dependences become spawn edges.
///     merge       waits for the same operands in one block become one; a wait in which nothing happens but another wait
///                 becomes one wait for both, unless one is for the last update of a variable.
///     fuse        a task whose only effect is to start one task that waits for nothing and calls a leaf calls it itself.
///
/// Afterwards: no task waits for a datum that another wait of its block assigns on every path, unless it needs local values
/// that are not known there; no wait holds nothing but a wait.
///
/// Long-running work is never put one after the other: a task has one call, and no assignment that could let others start
/// moves behind a call that it did not depend on.
///
/// STC's name: wait-coalesce (with pipeline for what is pushed behind a call). Source: the paper, 4.6.
[[nodiscard]] ir::Program coalesce_tasks(ir::Program program);

}  // namespace refrain::script::passes
