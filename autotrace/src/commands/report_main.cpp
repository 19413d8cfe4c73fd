/// The program refrain-report, which `refrain report` runs.

#include "cli/command.hpp"
#include "commands/report.hpp"

int main(int argc, char** argv) {
    using namespace refrain;
    return cli::run_command(argc, argv, "report", commands::report_summary,
                            commands::set_up_report);
}
