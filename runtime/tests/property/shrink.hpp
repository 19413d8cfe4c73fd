/// Shrinks failing programs.
#pragma once

#include <functional>

#include "property/program.hpp"

namespace refrain::property {

/// Returns a program that still fails, and passes without any one of its statements, requirements,
/// futures or points: shrink(p, fails) -> q with fails(q), |q| <= |p|.
///
/// Tries to remove halves of the program first, then quarters, and so on. Iterations of loops are
/// contiguous, so whole iterations disappear at once. Statements that become meaningless are
/// removed with their cause. Calls `fails` at most a few thousand times.
[[nodiscard]] Program shrink(const Program& program,
                             const std::function<bool(const Program&)>& fails);

}  // namespace refrain::property
