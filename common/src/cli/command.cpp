#include "cli/command.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string_view>

namespace refrain::cli {

int run_command(int argc, char** argv, const std::string& name, const std::string& summary,
                const std::function<void(CLI::App&)>& set_up) {
    const std::string title = "refrain " + name;
    if (argc == 2 && std::string_view(argv[1]) == "--summary") {
        std::cout << summary << '\n';
        return 0;
    }
    CLI::App program(summary + ".", title);
    program.set_version_flag("--version", REFRAIN_VERSION);
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
