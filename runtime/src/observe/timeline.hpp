#pragma once

#include "observe/journal.hpp"

#include <string>

namespace refrain::observe {

/// The spans of a run in the trace-event format: what Perfetto (ui.perfetto.dev) and
/// chrome://tracing read. One process; thread 0 is the launching thread, thread i worker i, and
/// mining has threads of its own from `mining_threads` on, one per thread that mined.
///
/// Source:   "Trace Event Format", the Chromium project: complete events (ph "X", ts and dur in
///           microseconds) and metadata events (ph "M").
[[nodiscard]] std::string timeline(const Journal& journal);

inline constexpr unsigned mining_threads = 10'000;

}  // namespace refrain::observe
