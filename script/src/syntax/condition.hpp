#pragma once

#include "syntax/macro.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace refrain::script {

/// The value of what stands behind #if, its macros expanded; empty if it is no expression. Names are 0.
[[nodiscard]] std::optional<std::int64_t> condition_value(const std::vector<MacroWord>& words);

}  // namespace refrain::script
