/// The best loops that this machine runs.
///
// room: kernels
#pragma once

#include "kernels/loops.hpp"

namespace refrain::array::kernels {

AddRun best_add_run(DType type) noexcept;
[[nodiscard]] FindExtreme best_find_extreme(Extreme extreme, DType type) noexcept;
/// Operands: condition, yes, no, output.
Loop best_select_loop(DType type) noexcept;

}  // namespace refrain::array::kernels
