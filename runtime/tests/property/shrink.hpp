/// Makes a failing program small.
#pragma once

#include <functional>

#include "property/program.hpp"

namespace refrain::property {

/// A program that still fails and from which no statement, no requirement, no future and no point
/// of a launch can be taken away: shrink(p, fails) -> q, fails(q), |q| <= |p|.
///
/// Pieces of half the program are tried first, then of a quarter, and so on; iterations of loops
/// lie side by side, so whole iterations go at once. What loses its sense with a statement goes
/// with it. `fails` is asked a few thousand times at most.
[[nodiscard]] Program shrink(const Program& program,
                             const std::function<bool(const Program&)>& fails);

}  // namespace refrain::property
