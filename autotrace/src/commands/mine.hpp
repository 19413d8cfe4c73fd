#pragma once

namespace refrain::cli {
class CommandLine;
}

namespace refrain::commands {

inline constexpr const char* mine_summary =
    "Show what automatic tracing finds in a stream of operations";

/// Adds the options of `refrain mine`; parsing the command line runs the command. User errors are
/// thrown as exceptions.
void set_up_mine(cli::CommandLine& mine);

}  // namespace refrain::commands
