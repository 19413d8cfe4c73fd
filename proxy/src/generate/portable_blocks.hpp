#pragma once

#include "generate/blocks.hpp"

#include <string>
#include <vector>

namespace refrain::proxy {

/// A line of each proxy that has portable blocks, and of no other.
inline constexpr const char* portable_title =
    "/* ---- What is computed between calls: portable blocks, whose steps no compiler leaves out "
    "or "
    "joins */";

/// The portable blocks, in the order in which an event runs them.
[[nodiscard]] std::vector<Block> portable_blocks();
/// C99: one of them as a function of the number of its repetitions.
[[nodiscard]] std::string portable_definition(const Block& block);
/// C99: the variables that all of them use. Needs NOINLINE before it.
[[nodiscard]] std::string portable_variables();
/// C99: `prepare_blocks`, behind them.
[[nodiscard]] std::string portable_preparation();

}  // namespace refrain::proxy
