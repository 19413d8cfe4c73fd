#pragma once

#include "processes/process_places.hpp"
#include "processes/said_errors.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <vector>

namespace refrain::processes {

class Guardian;

/// A program cannot be started; says which, and why.
class ProcessError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The programs of a run that are running now, each the first of a process group. Threads: any.
class ProcessTable {
  public:
    ProcessTable();
    ProcessTable(const ProcessTable&) = delete;
    ProcessTable& operator=(const ProcessTable&) = delete;
    ~ProcessTable();

    /// From now on, what is added and runs is killed when this process is gone, however it ended: see Guardian. Best called
    /// before threads are started. Errors: ProcessError if the system gives no process.
    void guard();
    /// Where a process that is about to begin writes its number. Errors: ProcessError if too many run.
    [[nodiscard]] ProcessPlace& place();
    /// It did not begin.
    void give_back(ProcessPlace& place);
    /// It runs. One without a place gets one; if all are taken, it is not guarded.
    void add(pid_t process, ProcessPlace* place = nullptr);
    /// Waits until the process has ended; its number is then free for others.
    [[nodiscard]] int reap(pid_t process);
    /// Sends the signal to the group, unless it was reaped.
    void signal(pid_t process, int number);
    /// Kills what is running, with what has left its groups, and all that is added later.
    void kill_all();
    enum class Look { once, again };
    /// Where PATH has a program, looked up once, as shells do; empty if nowhere. A name with a slash is a path itself.
    [[nodiscard]] std::string path_of(const std::string& name, Look look = Look::once);

  private:
    std::mutex mutex_;
    std::map<pid_t, ProcessPlace*> running_;  // null: it has no place
    ProcessPlaces places_;
    std::unique_ptr<Guardian> guardian_;  // looks at places_
    bool killed_ = false;
    std::map<std::string, std::string> paths_;
};

struct ProcessCommand {
    std::vector<std::string> words;
    std::array<std::string, 3> streams;  // files; empty: /dev/null to read from, else the run's own
    double timeout_s = 0;                // 0: none
    std::vector<std::string> environment;  // NAME=value, besides our own
    bool keeps_errors = false;             // standard error goes to ProcessEnd
};
struct ProcessEnd {
    int status = 0;  // as of waitpid
    bool timed_out = false;
    SaidErrors errors;  // what it has said on standard error, if that is kept

    [[nodiscard]] bool well() const { return status == 0 && !timed_out; }
    /// "ended with status 3", "was killed by signal Killed", "was ended after 2.5 s, by its timeout"
    [[nodiscard]] std::string text(double timeout_s) const;
};

/// Runs a program to its end, in a process group of its own. At the timeout the group is asked to end, and a second later
/// killed, with what has left it. Standard error that is kept is a pipe: programs that open /dev/stderr anew take nothing away from it, as they would
/// from a file. What the program has left running writes to our own standard error from then on.
///
/// Errors: ProcessError if it cannot be started.
[[nodiscard]] ProcessEnd run_process(const ProcessCommand& command, ProcessTable& table);

/// As a shell would take it.
[[nodiscard]] std::string command_line(const std::vector<std::string>& words);

}  // namespace refrain::processes
