#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace refrain::script {

/// Blanks around the digits pass; anything else does not.
///
/// Errors: ScriptError for empty text, trailing letters, another base's prefix, and what does not fit.
[[nodiscard]] std::int64_t parse_integer(const std::string& text, std::int64_t base = 10);
[[nodiscard]] double parse_float(const std::string& text);
/// A whole number as an int; nothing if it does not fit, or is none.
[[nodiscard]] std::optional<std::int64_t> int_of(double whole);

}  // namespace refrain::script
