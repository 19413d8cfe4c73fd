#include "cli/command.hpp"

#include "cli/command_line.hpp"

#include <cstdio>
#include <exception>
#include <iostream>
#include <string_view>

namespace refrain::cli {

int run_command(int argc, char** argv, const std::string& name, const std::string& summary,
                const std::function<void(CommandLine&)>& set_up) {
    const std::string title = "refrain " + name;
    if (argc == 2 && std::string_view(argv[1]) == "--summary") {
        std::cout << summary << '\n';
        return 0;
    }
    CommandLine line(summary + ".", title);
    line.set_version(REFRAIN_VERSION);
    try {
        set_up(line);
        return with_output_written(line.parse(argc, argv, title) ? 0 : line.exit_status(), title);
    } catch (const std::exception& error) {
        std::cerr << title << ": " << error.what() << '\n';
    }
    return exit_user_error;
}

int with_output_written(int status, const std::string& title) {
    std::cout.flush();
    const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout;
    if (is_written) return status;
    std::cerr << title << ": not all of the output could be written\n";
    return status == 0 ? exit_user_error : status;
}

}  // namespace refrain::cli
