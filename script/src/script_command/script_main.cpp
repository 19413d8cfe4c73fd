/// The program refrain-script, which `refrain script` runs; stc, turbine and swift-t are names of it.

#include "cli/command.hpp"
#include "script_command/script_command.hpp"

int main(int argc, char** argv) {
    using namespace refrain;
    if (const auto front_door = script::run_front_door(argc, argv))
        return cli::with_output_written(*front_door, argv[0]);
    int status = 0;
    const int parsed =
        cli::run_command(argc, argv, "script", script::script_summary,
                         [&status](cli::CommandLine& app) { script::set_up_script(app, status); });
    return parsed != 0 ? parsed : status;
}
