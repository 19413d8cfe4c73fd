/// The program refrain-proxy, which `refrain proxy` runs.

#include "cli/command.hpp"
#include "proxy_commands/commands.hpp"

int main(int argc, char** argv) {
    using namespace refrain;
    const int status =
        cli::run_command(argc, argv, "proxy", proxy::proxy_summary, proxy::set_up_proxy);
    return status != 0 ? status : proxy::exit_status();
}
