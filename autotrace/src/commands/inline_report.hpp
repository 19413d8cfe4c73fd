#pragma once

#include "commands/stream_report.hpp"

#include <istream>
#include <string>

namespace refrain::commands {

/// The page of a stream by the inline recogniser; launch sites and memory as in report_on_stream.
/// An operation counts as replayed as in run_inline: from the third iteration of a loop on. A
/// runtime may replay fewer, since the dependences of an operation may need a longer context.
///
/// Errors:  MalformedLine.
[[nodiscard]] StreamReport report_on_stream_inline(std::istream& input, const std::string& name);

}  // namespace refrain::commands
