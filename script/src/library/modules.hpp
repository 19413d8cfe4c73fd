#pragma once

#include "library/builtin.hpp"

#include <string_view>

/// The tables of the modules, each in the file of its name.
namespace refrain::script {

extern const std::span<const Builtin> operator_functions;
extern const std::span<const Builtin> basic_functions;
extern const std::span<const Builtin> string_functions;
extern const std::span<const Builtin> math_functions;
extern const std::span<const Builtin> io_functions;
extern const std::span<const Builtin> file_functions;
extern const std::span<const Builtin> sys_functions;
extern const std::span<const Builtin> assert_functions;
extern const std::span<const Builtin> stats_functions;
extern const std::span<const Builtin> random_functions;
extern const std::span<const Builtin> python_functions;
extern const std::span<const Builtin> r_functions;
extern const std::span<const Builtin> json_functions;
extern const std::span<const Builtin> blob_functions;
extern const std::span<const Builtin> matrix_functions;
extern const std::span<const Builtin> location_functions;
extern const std::span<const Builtin> launch_functions;
extern const std::string_view location_swift;  // of modules/, embedded by the build
extern const std::string_view unix_swift;

// Of string.cpp, for others, too: how many characters of UTF-8 a text has.
[[nodiscard]] std::int64_t character_count(std::string_view text);
// Of random.cpp: 0 to end - 1.
[[nodiscard]] std::int64_t random_below(std::int64_t end);
// Of files.cpp. Errors: ScriptError.
[[nodiscard]] std::string file_content(const std::string& path);
/// A temporary file.
[[nodiscard]] Value new_file_with(const std::string& content, Services& services);

}  // namespace refrain::script
