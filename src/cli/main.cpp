/// The command `refrain`.

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "cli/mine.hpp"
#include "cli/report.hpp"

namespace {

constexpr int exit_user_error = 2;

}  // namespace

int main(int argc, char** argv) {
    CLI::App program(
        "Refrain runs implicitly parallel programs and notices by itself when they repeat.\n"
        "This command is for looking at what it does:",
        "refrain");
    program.set_version_flag("--version", REFRAIN_VERSION);
    program.require_subcommand(0, 1);
    program.footer("refrain COMMAND --help tells more about a command.");
    refrain::cli::add_mine(program);
    refrain::cli::add_report(program);
    try {
        program.parse(argc, argv);
        if (program.get_subcommands().empty()) std::cout << program.help();
        return 0;
    } catch (const CLI::Success& request) {  // --help, --version
        return program.exit(request);
    } catch (const CLI::ParseError& error) {
        std::cerr << "refrain: " << error.what() << "\nrefrain --help shows what can be asked.\n";
    } catch (const std::exception& error) {
        std::cerr << "refrain: " << error.what() << '\n';
    }
    return exit_user_error;
}
