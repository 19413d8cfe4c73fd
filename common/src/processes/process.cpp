#include "processes/process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace refrain::processes {
namespace {

using Clock = std::chrono::steady_clock;

/// Signals that programs get with their usual effect: those that this program blocks or ignores are its own business, and for
/// others that are not ignored nothing is changed, but naming them saves looking at each of them in each new process.
sigset_t usual_signals() {
    sigset_t usual;
    sigemptyset(&usual);
    for (int each = 1; each < NSIG; ++each) {
        struct sigaction now {};
        const bool known = sigaction(each, nullptr, &now) == 0;
        if (known && now.sa_handler != SIG_IGN) sigaddset(&usual, each);
    }
    for (const int each : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) sigaddset(&usual, each);
    return usual;
}

/// What posix_spawn is told, destroyed at the end.
class SpawnPlan {
  public:
    SpawnPlan() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
        sigset_t none;
        sigemptyset(&none);
        static const sigset_t usual = usual_signals();
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &usual);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }

    void open(int stream, const char* path) {
        const int flags = stream == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
        posix_spawn_file_actions_addopen(&actions_, stream, path, flags, 0666);
    }
    [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

  private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

/// Waits until the process has ended, without reaping it. False if the time is over before.
bool wait_for_end(pid_t process, std::optional<Clock::time_point> until) {
    siginfo_t info{};
    if (!until) {
        while (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT) != 0 &&
               errno == EINTR) {
        }
        return true;
    }
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    for (;;) {
        info.si_pid = 0;
        if (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
            info.si_pid == process)
            break;
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(*until - Clock::now()).count();
        if (left <= 0) {
            if (handle >= 0) close(handle);
            return false;
        }
        constexpr long long step_ms = 60'000;
        constexpr long long blind_step_ms = 5;  // where the system has no handles of processes
        if (handle >= 0) {
            pollfd wait{handle, POLLIN, 0};
            poll(&wait, 1, static_cast<int>(std::min<long long>(left + 1, step_ms)));
        } else {
            std::this_thread::sleep_for(
                std::chrono::milliseconds(std::min<long long>(left, blind_step_ms)));
        }
    }
    if (handle >= 0) close(handle);
    return true;
}

Clock::time_point after(double seconds) {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

void ProcessTable::add(pid_t process) {
    const std::lock_guard lock(mutex_);
    running_.insert(process);
    if (killed_) ::kill(-process, SIGKILL);
}

int ProcessTable::reap(pid_t process) {
    static_cast<void>(wait_for_end(process, std::nullopt));  // unlocked: it may have to be killed
    const std::lock_guard lock(mutex_);
    running_.erase(process);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

void ProcessTable::signal(pid_t process, int number) {
    const std::lock_guard lock(mutex_);
    if (running_.contains(process)) ::kill(-process, number);
}

void ProcessTable::kill_all() {
    const std::lock_guard lock(mutex_);
    killed_ = true;
    for (const pid_t each : running_) ::kill(-each, SIGKILL);
}

std::string ProcessEnd::text(double timeout_s) const {
    if (timed_out) {
        std::array<char, 32> number{};
        std::snprintf(number.data(), number.size(), "%g", timeout_s);
        return std::string("was ended after ") + number.data() + " s, by its timeout";
    }
    if (WIFSIGNALED(status))
        return std::string("was killed by signal ") + strsignal(WTERMSIG(status));
    return "ended with status " + std::to_string(WEXITSTATUS(status));
}

ProcessEnd run_process(const ProcessCommand& command, ProcessTable& table) {
    SpawnPlan plan;
    for (int i = 0; i < 3; ++i) {
        const std::string& path = command.streams[static_cast<std::size_t>(i)];
        if (!path.empty())
            plan.open(i, path.c_str());
        else if (i == 0)
            plan.open(0, "/dev/null");  // a group in the background may not read from a terminal
    }
    std::vector<char*> words;
    for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    std::vector<char*> variables;
    for (const std::string& each : command.environment)
        variables.push_back(const_cast<char*>(each.c_str()));
    for (char** each = environ; *each != nullptr; ++each) variables.push_back(*each);
    variables.push_back(nullptr);
    pid_t child = 0;
    const int started = posix_spawnp(&child, words[0], plan.actions(), plan.attributes(),
                                     words.data(), variables.data());
    if (started != 0)
        throw ProcessError("cannot start '" + command.words[0] + "': " + std::strerror(started));
    table.add(child);
    ProcessEnd end;
    if (command.timeout_s > 0 && !wait_for_end(child, after(command.timeout_s))) {
        end.timed_out = true;
        table.signal(child, SIGTERM);
        if (!wait_for_end(child, after(1))) table.signal(child, SIGKILL);
        static_cast<void>(wait_for_end(child, std::nullopt));
        table.signal(child, SIGKILL);  // what it has started and left behind
    }
    end.status = table.reap(child);
    return end;
}

std::string command_line(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        const bool plain =
            !word.empty() &&
            word.find_first_of(" \t\n\"'\\$*?;&|<>(){}[]~`#!") == std::string::npos &&
            !(line.empty() && word.find('=') != std::string::npos);
        line += line.empty() ? "" : " ";
        std::string quoted = word;
        for (std::size_t at = quoted.find('\''); at != std::string::npos;
             at = quoted.find('\'', at + 4))
            quoted.replace(at, 1, "'\\''");
        line += plain ? word : "'" + quoted + "'";
    }
    return line;
}

}  // namespace refrain::processes
