#include "proxy_commands/commands.hpp"

#include "events/block_file.hpp"
#include "proxy_commands/options.hpp"
#include "proxy_commands/stage.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace refrain::proxy {
namespace {

int proxy_status = 0;

}  // namespace

int exit_status() {
    return proxy_status;
}

void set_exit_status(int status) {
    proxy_status = status;
}

void write_output(const std::string& name, const std::string& content) {
    if (!replace_file(name, content))
        throw std::runtime_error("cannot write '" + name + "': " + std::strerror(errno));
}

cli::CommandLine& add_command(cli::CommandLine& program, const char* name, const char* what,
                              const char* example, std::shared_ptr<Options>& options,
                              const std::function<void(const Options&)>& run) {
    options = std::make_shared<Options>();
    cli::CommandLine& command = program.add_command(name, what);
    command.set_footer(std::string("Example: refrain proxy ") + example);
    command.add_flag("--quiet", options->quiet, "No line of progress");
    command.on_parsed([options, run] {
        if (options->quiet) Stage::be_quiet();
        run(*options);
    });
    return command;
}

void set_up_proxy(cli::CommandLine& program) {
    program.require_command();
    program.set_footer(
        "A proxy in five commands:\n"
        "  refrain proxy record -o run -- mpirun -n 4 ./app\n"
        "  refrain proxy merge run -o run.rpx\n"
        "  refrain proxy generate run.rpx -o proxy\n"
        "  refrain proxy verify run.rpx proxy\n"
        "  refrain proxy report run.rpx -o run.html");
    add_recording_commands(program);
    add_merge_command(program);
    add_telling_commands(program);
    add_writing_commands(program);
    add_convert_command(program);
    add_comparing_commands(program);
}

}  // namespace refrain::proxy
