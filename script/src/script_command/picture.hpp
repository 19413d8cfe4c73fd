#pragma once

#include "refrain/script/script.hpp"

#include <string>

namespace refrain::script {

/// By the name's ending: .html is a page; DOT text for .svg, .dot, and no name, which is standard output.
/// Errors: UsageError for another ending.
[[nodiscard]] PictureForm picture_form_of(const std::string& file);

/// Writes what was drawn in that form; SVG is made by the program `dot`. Errors: UsageError.
void write_picture(const std::string& text, const std::string& file, bool force);

}  // namespace refrain::script
