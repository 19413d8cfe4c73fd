#pragma once

#include "observe/journal.hpp"
#include "page/site_table.hpp"

#include <string>
#include <string_view>

namespace refrain::observe {

/// Returns the spans of a run in the trace-event format, which Perfetto (ui.perfetto.dev) and
/// chrome://tracing read. There is one process. Thread 0 is the launching thread, thread i is worker
/// i, and the mining jobs of each thread are shown as a thread from `mining_threads` on. Arrows lead
/// from task to task along dependences; the tasks of a launch site have one colour. If not all
/// operations or dependences are in the file, instant events say so.
///
/// Source:   "Trace Event Format", the Chromium project: complete events (ph "X", ts and dur in
///           microseconds), flow events (ph "s" and "f"), instant events (ph "i") and metadata events
///           (ph "M").
[[nodiscard]] std::string timeline(const Journal& journal, const page::SiteTable& sites);

/// What tells a timeline from the files of others (base/output_file.hpp).
inline constexpr std::string_view timeline_mark = R"("otherData":{"writer":"Refrain"})";

inline constexpr unsigned mining_threads = 10'000;

}  // namespace refrain::observe
