#pragma once

#include "ir/program.hpp"
#include "leaves/leaf_table.hpp"
#include "workers/run_outcome.hpp"

namespace refrain::script {

/// Runs a program in one thread.
///
/// Complexity: quadratic in the number of statements that wait at a time.
[[nodiscard]] RunOutcome interpret(const ir::Program& program, const LeafTable& leaves,
                                   Services& services);

}  // namespace refrain::script
