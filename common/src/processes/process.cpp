#include "processes/process.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

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
    void duplicate(int file, int stream) {
        posix_spawn_file_actions_adddup2(&actions_, file, stream);
    }
    [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

  private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

/// The pipe that a program's standard error goes to.
class ErrorPipe {
  public:
    explicit ErrorPipe(bool wanted) {
        if (wanted && pipe2(ends_.data(), O_CLOEXEC) != 0)
            throw ProcessError(std::string("cannot keep what a program says on standard error: ") +
                               std::strerror(errno));
    }
    ErrorPipe(const ErrorPipe&) = delete;
    ErrorPipe& operator=(const ErrorPipe&) = delete;
    ~ErrorPipe() {
        shut(ends_[0]);
        shut(ends_[1]);
    }
    /// Where to read; -1: nothing will come.
    [[nodiscard]] int out() const { return ends_[0]; }
    [[nodiscard]] int in() const { return ends_[1]; }
    void close_in() { shut(ends_[1]); }
    /// What is there now.
    void read_into(std::string& text) {
        std::array<char, 4096> part;  // NOLINT(cppcoreguidelines-pro-type-member-init)
        for (pollfd wait{ends_[0], POLLIN, 0}; ends_[0] >= 0 && poll(&wait, 1, 0) == 1;) {
            const ssize_t got = read(ends_[0], part.data(), part.size());
            if (got > 0)
                text.append(part.data(), static_cast<std::size_t>(got));
            else if (got == 0 || errno != EINTR)
                shut(ends_[0]);  // all that could write have ended
        }
    }

    /// What the program has left running goes on: it says what it says on our standard error.
    void leave() {
        if (ends_[0] < 0) return;
        std::thread([from = std::exchange(ends_[0], -1)] {
            std::array<char, 4096> part;  // NOLINT(cppcoreguidelines-pro-type-member-init)
            for (ssize_t got = 0; (got = read(from, part.data(), part.size())) > 0;)
                if (write(2, part.data(), static_cast<std::size_t>(got)) < 0) break;
            close(from);
        }).detach();
    }

  private:
    static void shut(int& file) {
        if (file >= 0) close(std::exchange(file, -1));
    }
    std::array<int, 2> ends_{-1, -1};
};

/// Without reaping it. With WNOHANG, whether it has; else waits for it.
bool has_ended(pid_t process, int how) {
    siginfo_t info{};
    int got = 0;
    do {
        got = waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT | how);
    } while (got != 0 && errno == EINTR);
    return got != 0 || info.si_pid == process;  // else it is no child any more
}

/// How long to sleep at most: until then, and where the system has no handles of processes, not for long.
int sleep_ms(std::optional<Clock::time_point> until, bool has_handle) {
    constexpr long long step_ms = 60'000;
    constexpr long long blind_step_ms = 5;
    const long long most = has_handle ? step_ms : blind_step_ms;
    if (!until) return static_cast<int>(most);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, most));
}

/// Waits until the process has ended, without reaping it, and reads what it says. False if the time is over before.
bool wait_for_end(pid_t process, std::optional<Clock::time_point> until, ErrorPipe& errors,
                  std::string& said) {
    if (!until && errors.out() < 0) return has_ended(process, 0);
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    bool ended = false;
    while (!(ended = has_ended(process, WNOHANG)) && (!until || Clock::now() < *until)) {
        std::array<pollfd, 2> waits{pollfd{handle, POLLIN, 0}, pollfd{errors.out(), POLLIN, 0}};
        poll(waits.data(), waits.size(), sleep_ms(until, handle >= 0));
        errors.read_into(said);
    }
    if (handle >= 0) close(handle);
    errors.read_into(said);
    return ended;
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
    static_cast<void>(has_ended(process, 0));  // unlocked: it may have to be killed
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

std::string ProcessTable::path_of(const std::string& name) {
    const char* const folders = std::getenv("PATH");
    if (folders == nullptr || name.find('/') != std::string::npos) return name;
    const std::lock_guard lock(mutex_);
    std::string& known = paths_[name];
    std::istringstream all(folders);
    for (std::string folder; known.empty() && std::getline(all, folder, ':');) {
        const std::string path = (folder.empty() ? "." : folder) + "/" + name;
        if (access(path.c_str(), X_OK) == 0) known = path;
    }
    return known.empty() ? name : known;
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
    ErrorPipe errors(command.keeps_errors);
    if (command.keeps_errors) plan.duplicate(errors.in(), 2);
    std::vector<char*> words;
    for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    std::vector<char*> variables;
    for (const std::string& each : command.environment)
        variables.push_back(const_cast<char*>(each.c_str()));
    for (char** each = environ; *each != nullptr; ++each) variables.push_back(*each);
    variables.push_back(nullptr);
    pid_t child = 0;
    const auto start = [&](auto spawn, const char* program) {
        return spawn(&child, program, plan.actions(), plan.attributes(), words.data(),
                     variables.data());
    };
    int started = start(posix_spawn, table.path_of(command.words[0]).c_str());
    if (started != 0) started = start(posix_spawnp, words[0]);  // it has gone, or is a folder
    if (started != 0)
        throw ProcessError("cannot start '" + command.words[0] + "': " + std::strerror(started));
    table.add(child);
    errors.close_in();
    ProcessEnd end;
    const auto wait = [&](std::optional<Clock::time_point> until) {
        return wait_for_end(child, until, errors, end.errors);
    };
    if (command.timeout_s <= 0) {
        static_cast<void>(wait(std::nullopt));
    } else if (!wait(after(command.timeout_s))) {
        end.timed_out = true;
        table.signal(child, SIGTERM);
        if (!wait(after(1))) table.signal(child, SIGKILL);
        static_cast<void>(wait(std::nullopt));
        table.signal(child, SIGKILL);  // what it has started and left behind
    }
    end.status = table.reap(child);
    errors.leave();
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
