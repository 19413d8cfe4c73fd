#include "processes/guardian.hpp"

#include "processes/open_files.hpp"
#include "processes/process.hpp"
#include "processes/stray_processes.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace refrain::processes {
namespace {

constexpr int look_ms = 10;

/// Until all copies of the other end of the pipe are closed: also that of a program which is about to begin, and has written
/// its number by then. If the process has ended, not for long: it may have been copied by a library, and copies live on.
void wait_for_end(int end, pid_t guarded) {
    constexpr int copies_ms = 100;
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, guarded, 0));
    std::array<pollfd, 2> waits{pollfd{end, POLLIN, 0}, pollfd{handle, POLLIN, 0}};
    while (getppid() == guarded && poll(waits.data(), waits.size(), -1) <= 0) {
    }
    poll(waits.data(), 1, copies_ms);
}

/// The groups of programs, and what has left them.
class Guarded {
  public:
    explicit Guarded(const ProcessPlaces& places) {
        for (const ProcessPlace& each : places.all())
            if (const pid_t group = each.process.load(std::memory_order_relaxed); group != 0)
                groups_[count_++] = group;
    }
    void look() { strays_.look({groups_.data(), count_}); }
    /// Whether there is any left.
    [[nodiscard]] bool signal(int number) const {
        bool any = strays_.signal(number);
        for (std::size_t i = 0; i < count_; ++i) any |= ::kill(-groups_[i], number) == 0;
        return any;
    }

  private:
    std::array<pid_t, ProcessPlaces::places_max> groups_{};
    std::size_t count_ = 0;
    StrayProcesses strays_;
};

/// In the copy: system calls only, since other threads may have held any lock.
[[noreturn]] void guard(const ProcessPlaces& places, pid_t guarded, int end) {
    setpgid(0, 0);
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) signal(each, SIG_IGN);
    close_files(0, end);
    wait_for_end(end, guarded);
    constexpr int steps = 1000 / look_ms;
    Guarded all(places);
    all.look();
    bool any = all.signal(SIGTERM);
    for (int i = 0; i < steps && any; ++i) {
        poll(nullptr, 0, look_ms);
        any = all.signal(0);
    }
    all.look();
    static_cast<void>(all.signal(SIGKILL));
    _exit(0);
}

}  // namespace

Guardian::Guardian(const ProcessPlaces& places) {
    std::array<int, 2> ends{-1, -1};
    const pid_t guarded = getpid();
    process_ = pipe2(ends.data(), O_CLOEXEC) == 0 ? fork() : -1;
    if (process_ == 0) guard(places, guarded, ends[0]);
    const int problem = errno;
    // Here too: who kills our group at once must not find it there.
    if (process_ > 0) setpgid(process_, process_);
    close(ends[0]);
    end_ = ends[1];
    if (process_ > 0) return;
    close(end_);
    throw ProcessError(std::string("cannot start the process that guards programs: ") +
                       std::strerror(problem));
}

Guardian::~Guardian() {
    ::kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    close(end_);
}

}  // namespace refrain::processes
