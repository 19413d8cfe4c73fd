#pragma once

#include <span>
#include <sys/types.h>

namespace refrain::processes {

/// What programs have started and what has left their process groups, as below `timeout`, `setsid` or a shell with job control:
/// found in /proc by its parent, or as a member of the group or session of a process so found.
///
///     look({app})          app ── timeout, a group of its own ── solver: finds both
///     signal(SIGTERM)
///     look({})             those that are still there, and what they have started since
///     signal(SIGKILL)
///
/// Not found: a daemon, which has a session of its own and whose parent has ended; and what leaves its group after a look, and
/// before the next its parent ends.
///
/// Complexity: some three system calls for each process of the machine. Threads: one at a time. All is done by system calls, so
/// that a copy of a process that has threads may use it.
class StrayProcesses {
  public:
    StrayProcesses();
    StrayProcesses(const StrayProcesses&) = delete;
    StrayProcesses& operator=(const StrayProcesses&) = delete;
    ~StrayProcesses();

    /// `roots` are first in their groups. Without memory or /proc, nothing is found.
    void look(std::span<const pid_t> roots);
    /// To be called soon after a look: numbers are used again. Whether there is any; the number 0 only asks.
    bool signal(int number) const;

  private:
    struct Found;
    Found* found_ = nullptr;  // owned
};

}  // namespace refrain::processes
