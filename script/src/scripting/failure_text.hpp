#pragma once

#include "syntax/sources.hpp"
#include "workers/run_outcome.hpp"

#include <string>

namespace refrain::script {

/// What went wrong in a run, each failure with its place and line:
///
///     error: hello.swift:3:1: app 'simulate' ended with status 1
///     did not run, because of that: hello.swift:7:3: summarise (2 tasks)
///     WAITING WORK: 1
[[nodiscard]] std::string failure_text(const RunOutcome& outcome, const Sources& sources);
/// What a dry run could not know: calls whose results would be needed, and what waits for these.
[[nodiscard]] std::string dry_run_text(const RunOutcome& outcome, const Sources& sources);

}  // namespace refrain::script
