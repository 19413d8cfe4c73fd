/// Writes a comparison as JSON, for tools and for draw_traced_share.
#pragma once

#include <string>

#include "common/comparison.hpp"

namespace example {

[[nodiscard]] std::string report_of(const Comparison& comparison);

/// Errors: std::runtime_error if the file cannot be written.
void write_file(const std::string& path, const std::string& text);

}  // namespace example
