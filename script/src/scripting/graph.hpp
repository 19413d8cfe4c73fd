#pragma once

#include "drawing/graph.hpp"
#include "ir/program.hpp"
#include "refrain/script/script.hpp"
#include "syntax/sources.hpp"

#include <string>

namespace refrain::script {

/// The data flow of a script: a frame per function and, stacked, per loop; arrays and other variables that the script names;
/// calls of functions and of programs; with line numbers. Values without a name are part of the edges.
///
/// program  of level O0, which is like the source.
[[nodiscard]] drawing::Graph graph_of(const ir::Program& program, const Sources& sources);
[[nodiscard]] drawing::Graph graph_of_file(const std::string& path, const RunOptions& options);
/// The calls of a run by the interpreter, coloured by time, and which results each needed.
[[nodiscard]] drawing::Graph graph_of(const RunResult& run, const std::string& title);

/// The name that the script gives the variable (a second m is "m", too); empty if the compiler made it.
[[nodiscard]] std::string name_in_script(const Sources& sources, const ir::Variable& variable);

}  // namespace refrain::script
