#pragma once

#include <string>
#include <vector>

/// Other programs that commands run.
namespace refrain::proxy {

/// Words as execvp takes them, valid while `words` lives.
[[nodiscard]] std::vector<char*> arguments(const std::vector<std::string>& words);
/// As a shell says it: 128 and more for a signal.
[[nodiscard]] int status_of(int wait_status);
/// Runs a program and waits; returns its status.
int run_program(const std::vector<std::string>& words);
/// The same; what it says becomes the content of a file.
int run_program_into(const std::vector<std::string>& words, const std::string& file);

}  // namespace refrain::proxy
