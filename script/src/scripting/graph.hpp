#pragma once

#include "ir/program.hpp"
#include "syntax/sources.hpp"

#include <string>
#include <string_view>

namespace refrain::script {

/// The data flow of a script as DOT text: a frame per function and, stacked, per loop; arrays and other variables that the
/// script names; calls of functions and of programs; with line numbers. Values without a name are part of the edges.
///
/// program  of level O0, which is like the source.
[[nodiscard]] std::string graph_text(const ir::Program& program, const Sources& sources);

/// Whether the word stands there in the source, as a whole: names that the compiler made do not.
[[nodiscard]] bool stands_at(const Sources& sources, Position at, std::string_view word);

}  // namespace refrain::script
