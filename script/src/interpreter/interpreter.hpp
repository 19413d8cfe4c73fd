#pragma once

#include "ir/program.hpp"
#include "leaves/leaf_table.hpp"
#include "refrain/script/run_control.hpp"
#include "workers/run_outcome.hpp"

namespace refrain::script {

/// Runs a program in one thread. Unless failures are independent, nothing begins behind the first one.
///
/// Complexity: quadratic in the number of statements that wait at a time.
[[nodiscard]] RunOutcome interpret(const ir::Program& program, const LeafTable& leaves,
                                   Services& services, const RunControl& control,
                                   FailurePolicy failures = FailurePolicy::independent);

}  // namespace refrain::script
