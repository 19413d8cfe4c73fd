#pragma once

namespace refrain::cli {
class CommandLine;
}

namespace refrain::script {

inline constexpr const char* script_summary = "Run a workflow script of the Swift/T language";

/// Adds the commands of `refrain script`. `status` gets the exit status of the run; it must outlive `app`.
void set_up_script(cli::CommandLine& app, int& status);

}  // namespace refrain::script
