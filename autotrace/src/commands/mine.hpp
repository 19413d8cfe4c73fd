#pragma once

#include <CLI/CLI.hpp>

namespace refrain::commands {

inline constexpr const char* mine_summary = "Show what automatic tracing makes of a stream of operations";

/// Gives the program the options of `refrain mine`. Parsing the command line runs it; errors that
/// the user can mend are thrown as exceptions.
void set_up_mine(CLI::App& mine);

}  // namespace refrain::commands
