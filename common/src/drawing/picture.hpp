#pragma once

#include "drawing/graph.hpp"

#include <string>

namespace refrain::drawing {

/// Writes the graph as the file's name says: .html is a page, .svg is made by the program `dot`, .dot is DOT text, and so is
/// what goes to standard output if there is no name. A file that is none of ours is replaced only if forced.
///
/// Errors: UsageError; expect_picture: for another ending, or a file that may not be written, before there is a graph.
void expect_picture(const std::string& file, bool force);
void write_picture(const Graph& graph, const std::string& file, bool force);

}  // namespace refrain::drawing
