#pragma once

#include <CLI/CLI.hpp>

namespace refrain::cli {

/// Adds `refrain mine` to the program. Parsing the command line runs it; what the user can mend is
/// thrown as an exception.
void add_mine(CLI::App& program);

}  // namespace refrain::cli
