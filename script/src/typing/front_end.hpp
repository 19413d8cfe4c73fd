#pragma once

#include "ir/program.hpp"
#include "refrain/script/options.hpp"
#include "syntax/diagnostics.hpp"
#include "syntax/sources.hpp"

#include <string>
#include <vector>

namespace refrain::script {

struct FrontEndResult {
    ir::Program program;
    std::string warnings;
    std::vector<Message> messages;  // the same
};

/// Compiles a script to IR-1. `sources` holds the script as its first file, and gets the imported ones.
///
/// Errors: CompileFailure.
[[nodiscard]] FrontEndResult compile_to_ir(Sources& sources, const RunOptions& options = {});

}  // namespace refrain::script
