#pragma once

#include "ir/program.hpp"

#include <string>

namespace refrain::script::ir {

/// The program whose text print() has made.
///
/// The text of print() has neither the definitions of leaves nor those of structs and subtypes: they are those of `like`.
///
///     print(parse_program(print(program), program)) == print(program)
///
/// Errors: UsageError, with the line and what was expected there.
[[nodiscard]] Program parse_program(const std::string& text, const Program& like = {});

}  // namespace refrain::script::ir
