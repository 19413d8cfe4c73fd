#pragma once

#include "workers/thread_run.hpp"

namespace refrain::script {

/// Runs a program on processes, an engine each.
///
/// This process is the hub: it passes on what ranks say to each other, in the order in which it comes, prints, and makes
/// the calls of leaves that take long, one thread per rank. An engine's process that dies ends the run, with a failure
/// that says so. Temporary files live until the end of the run. Progress is not reported.
[[nodiscard]] RunOutcome run_on_processes(const tasks::TaskProgram& program, const Sources& sources,
                                          Services& services, const ThreadRunOptions& options);

}  // namespace refrain::script
