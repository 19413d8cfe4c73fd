#pragma once

#include "processes/process_places.hpp"

#include <sys/types.h>

namespace refrain::processes {

/// A process that kills the process groups of this one when this one is gone, however it ended: also by SIGKILL.
///
/// It sees the groups in memory that it shares with this process, so one more costs no system call. It is in a group of its own
/// from its beginning on, ignores what interrupts a run, and keeps no file of this process open: nobody waits for it, and who
/// kills the groups of a run does not kill it. They get SIGTERM, and a second later SIGKILL, with what has left them: see
/// StrayProcesses.
class Guardian {
  public:
    /// Starts the process. That makes system calls only, so this one may have threads. Errors: ProcessError.
    explicit Guardian(const ProcessPlaces& places);
    Guardian(const Guardian&) = delete;
    Guardian& operator=(const Guardian&) = delete;
    /// Ends the process; what runs is left alone.
    ~Guardian();

  private:
    pid_t process_ = 0;
    int end_ = -1;  // open as long as this process lives
};

}  // namespace refrain::processes
