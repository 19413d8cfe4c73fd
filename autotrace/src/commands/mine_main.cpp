/// The program refrain-mine, which `refrain mine` runs.

#include "cli/command.hpp"
#include "commands/mine.hpp"

int main(int argc, char** argv) {
    using namespace refrain;
    return cli::run_command(argc, argv, "mine", commands::mine_summary, commands::set_up_mine);
}
