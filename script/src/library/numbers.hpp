#pragma once

#include <cstdint>
#include <string>

namespace refrain::script {

/// Blanks around the digits pass; anything else does not.
///
/// Errors: ScriptError for empty text, trailing letters, another base's prefix, and what does not fit.
[[nodiscard]] std::int64_t parse_integer(const std::string& text, std::int64_t base = 10);
[[nodiscard]] double parse_float(const std::string& text);

}  // namespace refrain::script
