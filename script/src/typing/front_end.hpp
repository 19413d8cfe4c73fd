#pragma once

#include "ir/program.hpp"
#include "syntax/diagnostics.hpp"
#include "syntax/sources.hpp"

#include <string>
#include <vector>

namespace refrain::script {

struct FrontEndOptions {
    std::vector<std::string> import_folders;  // searched after the script's own folder
    std::vector<std::string> modules;         // imported before the script's own imports
    bool hash_comments = false;               // "#" begins a comment; nothing is preprocessed
    std::vector<std::string> macros;          // for the preprocessor: "NAME" or "NAME=text"
};
struct FrontEndResult {
    ir::Program program;
    std::string warnings;
};

/// Compiles a script to IR-1. `sources` holds the script as its first file, and gets the imported ones.
///
/// Errors: CompileFailure.
[[nodiscard]] FrontEndResult compile_to_ir(Sources& sources, const FrontEndOptions& options = {});

}  // namespace refrain::script
