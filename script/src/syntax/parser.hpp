#pragma once

#include "syntax/lexer.hpp"
#include "syntax/tree.hpp"

namespace refrain::script {

/// Parses a file. Errors are reported; the tree holds what could be understood.
[[nodiscard]] Script parse(const std::vector<Token>& tokens, Diagnostics& diagnostics);

/// The names that the language reserves.
[[nodiscard]] bool is_reserved(const std::string& name);

}  // namespace refrain::script
