#pragma once

#include "workers/mpi_transport.hpp"
#include "workers/thread_run.hpp"

namespace refrain::script {

/// Runs a program on the processes that mpirun has started, an engine each; collective. All have lowered the same script.
///
/// Ranks speak to each other directly; rank 0 also prints what all print, and its outcome is the run's. That of the other
/// ranks is empty. Whoever fails or is stopped tells all. While a rank runs a long call, a second thread answers for it.
/// Temporary files must be where all ranks see them; those that FileHandle::kept_temporaries names at the end are deleted.
/// Progress is not reported.
[[nodiscard]] RunOutcome run_over_mpi(const tasks::TaskProgram& program, const Sources& sources,
                                      Services& services, const ThreadRunOptions& options,
                                      MpiTransport& transport);

}  // namespace refrain::script
