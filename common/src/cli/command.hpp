#pragma once

#include <functional>
#include <string>

/// The common main function of the programs refrain-NAME, so that all behave alike as `refrain
/// NAME`.
///
///     int main(int argc, char** argv) {
///         return refrain::cli::run_command(argc, argv, "mine", "Show what ...", set_up_mine);
///     }
///
///     refrain-mine --summary      Show what ...        `refrain --help` lists this line
///     refrain-mine --version      0.1.0
///     refrain-mine --frobnicate   refrain mine: ...    on standard error, exit status 2
namespace refrain::cli {

class CommandLine;

inline constexpr int exit_user_error = 2;

/// Parses the command line and runs the command.
///
/// set_up   called with the command line; adds options and a callback.
/// Errors:  prints a std::exception that the callback throws as one line, with exit status 2; so too if what it printed could
///          not be written.
/// Returns: the exit status.
int run_command(int argc, char** argv, const std::string& name, const std::string& summary,
                const std::function<void(CommandLine&)>& set_up);

/// The exit status of a command that ended with `status`, when all it has printed must have arrived: on a full disk it has not,
/// which standard error then says.
int with_output_written(int status, const std::string& title);

}  // namespace refrain::cli
