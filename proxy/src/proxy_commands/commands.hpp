#pragma once

namespace refrain::cli {
class CommandLine;
}

namespace refrain::proxy {

inline constexpr const char* proxy_summary =
    "Record an MPI run and get a C program that behaves like it";

/// The exit status of the command that ran.
[[nodiscard]] int exit_status();

void set_up_proxy(cli::CommandLine& program);

}  // namespace refrain::proxy
