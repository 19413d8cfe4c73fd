#pragma once

#include "ir/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace refrain::script {

/// What `refrain script compile` writes and `run` takes.
struct CompiledScript {
    std::string folder;                  // of the script: plug-ins are looked for there
    std::vector<std::string> libraries;  // more folders of plug-ins
    std::vector<std::string> sources;    // the names of the files, for messages
    std::vector<std::string> arguments;  // "--steps=100", given when it was compiled
    std::vector<std::string> passes;     // that are on
    ir::Program program;
};

/// With what each such file begins.
inline constexpr std::string_view compiled_mark = "# A compiled script of Refrain, ";

[[nodiscard]] bool is_compiled(std::string_view text);

/// What the file holds: a version and a checksum as text, then the struct as bytes.
[[nodiscard]] std::string compiled_text(const CompiledScript& script);

/// Version and checksum before what is to stand behind them.
[[nodiscard]] std::string with_checksum(const std::string& body);

/// The inverse. Errors: UsageError for a file of another version or a damaged one; `name` stands in the message.
[[nodiscard]] CompiledScript read_compiled(const std::string& name, const std::string& text);

}  // namespace refrain::script
