#pragma once

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

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

inline constexpr int exit_user_error = 2;

/// Parses the command line and runs the command.
///
/// version  for --version.
/// set_up   called with the CLI::App; adds options and a callback.
/// Errors:  prints a std::exception that the callback throws as one line, with exit status 2.
/// Returns: the exit status.
template <class SetUp>
int run_command(int argc, char** argv, const std::string& name, const std::string& summary,
                const std::string& version, SetUp&& set_up) {
    const std::string title = "refrain " + name;
    if (argc == 2 && std::string_view(argv[1]) == "--summary") {
        std::cout << summary << '\n';
        return 0;
    }
    CLI::App program(summary + ".", title);
    program.set_version_flag("--version", version);
    try {
        set_up(program);
        program.parse(argc, argv);
        return 0;
    } catch (const CLI::Success& request) {  // --help, --version
        return program.exit(request);
    } catch (const CLI::ParseError& error) {
        std::cerr << title << ": " << error.what() << '\n'
                  << title << " --help shows its options.\n";
    } catch (const std::exception& error) {
        std::cerr << title << ": " << error.what() << '\n';
    }
    return exit_user_error;
}

}  // namespace refrain::cli
