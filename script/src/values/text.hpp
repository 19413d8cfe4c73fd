#pragma once

#include "base/text.hpp"
#include "values/value.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::script {

/// Shortest digits that read back, as Tcl 8.6 prints them: always ".0" or an exponent.
///
///     float_text(1e16) -> "10000000000000000.0"    float_text(1e-5) -> "1e-5"    float_text(1e17) -> "1e+17"
[[nodiscard]] std::string float_text(double value);

/// Of a character of UTF-8: no byte but the first.
[[nodiscard]] constexpr bool continues_character(char letter) noexcept {
    return (static_cast<unsigned char>(letter) & 0xc0U) == 0x80U;
}
/// How many characters of UTF-8 a text has, and the byte at which one begins; the size if there are fewer.
[[nodiscard]] std::int64_t character_count(std::string_view text);
[[nodiscard]] std::size_t byte_of(std::string_view text, std::int64_t character);

/// A value as `trace`, `printf("%s")` and `+` show it. Booleans are 1 and 0; arrays, bags and structs are as by
/// repr_of.
[[nodiscard]] std::string text_of(const Value& value);

/// Tables as "key value key value", parts that are empty or hold blanks or tables in braces. Bags list values only.
[[nodiscard]] std::string repr_of(const Value& value, bool values_only = false);

/// What variables that the compiler makes are called, with a number behind; no variable of a script is.
inline constexpr const char* temporary_name = "$t";
[[nodiscard]] inline bool is_temporary(std::string_view name) {
    return name.starts_with(temporary_name);
}

/// As messages call it: "'x[2]'".
[[nodiscard]] inline std::string shown_name(const std::string& name) {
    return is_temporary(name) ? "an intermediate value" : "'" + name + "'";
}

using base::content_of;
using base::joined;
using base::parts_of;
using base::read_number;
using base::setting;
using base::trimmed;

/// "1 task", "2 tasks".
[[nodiscard]] inline std::string counted(std::uint64_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}
/// With each character changed, as by std::toupper.
[[nodiscard]] std::string with_each(std::string text, int (*changed)(int));

/// In which the file lies: "." if the path has no folder.
[[nodiscard]] std::string folder_of(const std::string& path);
/// Makes the folder, and those in which it lies. Errors: ScriptError.
void make_folder(const std::filesystem::path& folder);

/// The words between blanks; blanks in quotes, of which { ends with }, are parts of words. Errors: ScriptError for an open one.
[[nodiscard]] std::vector<std::string> quoted_words(const std::string& text, const char* quotes);

/// A string as source code: in quotes, with escapes. The lexer is its inverse.
[[nodiscard]] std::string in_quotes(std::string_view text, char quote = '"');

}  // namespace refrain::script
