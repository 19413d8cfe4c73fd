#pragma once

#include <istream>
#include <string>

#include "commands/stream_report.hpp"

namespace refrain::commands {

/// What the inline recogniser makes of a stream of operations, for a page; launch sites and memory as
/// in report_on_stream. Counted as in run_inline: an operation is replayed from the third iteration of
/// a loop on. A runtime may replay fewer, for it knows what an operation waits for, and how much must
/// repeat for that to hold again.
///
/// Errors:  MalformedLine.
[[nodiscard]] StreamReport report_on_stream_inline(std::istream& input, const std::string& name);

}  // namespace refrain::commands
