#pragma once

namespace refrain::cli {
class CommandLine;
}

namespace refrain::commands {

inline constexpr const char* report_summary =
    "Write a page that shows what automatic tracing finds in a log of operations";

/// Adds the options of `refrain report`; otherwise like set_up_mine().
void set_up_report(cli::CommandLine& report);

}  // namespace refrain::commands
