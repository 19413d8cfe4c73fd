#pragma once

#include "values/value.hpp"

#include <string>
#include <string_view>

namespace refrain::script {

/// Shortest digits that read back, as Tcl 8.6 prints them: always ".0" or an exponent.
///
///     float_text(1e16) -> "10000000000000000.0"    float_text(1e-5) -> "1e-5"    float_text(1e17) -> "1e+17"
[[nodiscard]] std::string float_text(double value);

/// A value as `trace`, `printf("%s")` and `+` show it. Booleans are 1 and 0; arrays, bags and structs are as by
/// repr_of.
[[nodiscard]] std::string text_of(const Value& value);

/// Tables as "key value key value", parts that are empty or hold blanks or tables in braces. Bags list values only.
[[nodiscard]] std::string repr_of(const Value& value, bool values_only = false);

/// A string as source code: in quotes, with escapes. The lexer is its inverse.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// The string that stands in quotes at `at`, which is then behind it.
[[nodiscard]] std::string unquoted(std::string_view text, std::size_t& at);

}  // namespace refrain::script
