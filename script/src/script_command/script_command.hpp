#pragma once

namespace CLI {
class App;
}

namespace refrain::script {

inline constexpr const char* script_summary = "Run a workflow script of the Swift/T language";

/// Adds the commands of `refrain script`. `status` gets the exit status of the run; it must outlive `app`.
void set_up_script(CLI::App& app, int& status);

}  // namespace refrain::script
