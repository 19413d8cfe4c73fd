#pragma once

#include <string>
#include <vector>

namespace refrain::script {

/// The command inside a template. The word {cmd} becomes the words of the command; within a longer word it becomes the command
/// as a shell takes it. Words of the template are separated by blanks, and may stand in quotes. An empty template changes
/// nothing.
///
///     wrapped({"sort", "a b"}, "nice -n 5 {cmd}")         -> nice, -n, 5, sort, "a b"
///     wrapped({"sort", "a b"}, "ssh far 'cd x; {cmd}'")   -> ssh, far, "cd x; sort 'a b'"
///
/// Errors: ScriptError if there is no {cmd}, or a quote is left open.
[[nodiscard]] std::vector<std::string> wrapped(const std::vector<std::string>& command,
                                               const std::string& pattern);

}  // namespace refrain::script
