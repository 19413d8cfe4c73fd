#pragma once

#include <CLI/CLI.hpp>

namespace refrain::commands {

inline constexpr const char* report_summary =
    "Write a page that shows what automatic tracing makes of a log of operations";

/// Gives the program the options of `refrain report`; as set_up_mine().
void set_up_report(CLI::App& report);

}  // namespace refrain::commands
