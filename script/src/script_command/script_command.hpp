#pragma once

#include <optional>
#include <string_view>

namespace refrain::cli {
class CommandLine;
}

namespace refrain::script {

/// The files of help/ and web/, embedded by the build (cmake/RefrainEmbed.cmake).
extern const std::string_view stc_help_txt, turbine_help_txt, swift_t_help_txt;
extern const std::string_view script_html, script_css, script_js;

/// The exit statuses of the compiler.
inline constexpr int status_syntax = 3;
inline constexpr int status_refused = 4;

inline constexpr const char* script_summary = "Run a workflow script of the Swift/T language";

/// Adds the commands of `refrain script`. `status` gets the exit status of the run; it must outlive `app`.
void set_up_script(cli::CommandLine& app, int& status);

/// The command lines of the original, `stc`, `turbine` and `swift-t`, if the program was called by one of these names.
///
/// Returns: the exit status; nothing under any other name.
/// stc      2 a file, 3 syntax, 4 another fault of the script, 5 and 6 the command line, 90 a fault of the compiler
/// turbine  1 whatever went wrong; errors of the run go to standard output as "Swift: message"
/// swift-t  the status of stc if that is not 0; else that of turbine
[[nodiscard]] std::optional<int> run_front_door(int argc, char** argv);

}  // namespace refrain::script
