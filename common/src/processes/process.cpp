#include "processes/process.hpp"

#include "processes/guardian.hpp"
#include "processes/stray_processes.hpp"

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
#include <sstream>
#include <sys/stat.h>
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

/// What a new process needs to become a program.
struct Launch {
    ProcessPlace& place;
    const char* program;
    char* const* words;
    char* const* environment;
    const std::array<std::string, 3>& streams;
    int errors;  // where standard error goes; -1: as streams say
};

bool replace_stream(int stream, const char* path) {
    const int flags = stream == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
    const int file = open(path, flags, 0666);
    if (file < 0) return false;
    if (file == stream) return true;
    const bool well = dup2(file, stream) == stream;
    close(file);
    return well;
}

/// In a new process, which may share this one's memory: system calls only. Returns if it does not become the program.
void become_program(const Launch& is, const sigset_t& usual) {
    is.place.process.store(getpid(), std::memory_order_relaxed);  // before it does anything
    setpgid(0, 0);
    struct sigaction to_default {};
    to_default.sa_handler = SIG_DFL;
    for (int each = 1; each < NSIG; ++each)
        if (sigismember(&usual, each) == 1) sigaction(each, &to_default, nullptr);
    for (int i = 0; i < 3; ++i) {
        const std::string& path = is.streams[static_cast<std::size_t>(i)];
        if (!path.empty() && !replace_stream(i, path.c_str())) return;
        // A group in the background may not read from a terminal.
        if (path.empty() && i == 0 && !replace_stream(0, "/dev/null")) return;
    }
    if (is.errors == 2) fcntl(2, F_SETFD, 0);
    if (is.errors >= 0 && dup2(is.errors, 2) < 0) return;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execve(is.program, is.words, is.environment);
}

/// Closed in a new process when it becomes its program, or ends. So who waits for that does so even where vfork copies memory
/// and waits for nothing, as under the thread sanitizer and Valgrind.
class BeginPipe {
  public:
    BeginPipe() {
        if (pipe2(ends_.data(), O_CLOEXEC) != 0) problem_ = errno;
    }
    BeginPipe(const BeginPipe&) = delete;
    BeginPipe& operator=(const BeginPipe&) = delete;
    ~BeginPipe() {
        if (problem_ == 0) close(ends_[0]);
    }

    [[nodiscard]] int problem() const { return problem_; }
    void wait() {
        close(ends_[1]);
        char nothing = 0;
        while (read(ends_[0], &nothing, 1) < 0 && errno == EINTR) {
        }
    }

  private:
    std::array<int, 2> ends_{-1, -1};
    int problem_ = 0;
};

/// Starts a program as posix_spawn does; but before it does anything, its number stands in its place, so that it is known from
/// its first instruction on. Returns its number, or the negative one of an error.
pid_t spawn(const Launch& launch) {
    static const sigset_t usual = usual_signals();
    BeginPipe begin;
    if (begin.problem() != 0) return -begin.problem();
    launch.place.problem.store(0, std::memory_order_relaxed);  // of an attempt before
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // no handler runs in the new process
    const pid_t child = vfork();
    if (child == 0) {
        become_program(launch, usual);
        launch.place.problem.store(errno, std::memory_order_relaxed);
        _exit(127);
    }
    const int fork_problem = errno;
    begin.wait();
    const int problem =
        child < 0 ? fork_problem : launch.place.problem.load(std::memory_order_relaxed);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (problem == 0) return child;
    while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return -problem;
}

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
    void read_into(SaidErrors& text) {
        std::array<char, 4096> part;  // NOLINT(cppcoreguidelines-pro-type-member-init)
        for (pollfd wait{ends_[0], POLLIN, 0}; ends_[0] >= 0 && poll(&wait, 1, 0) == 1;) {
            const ssize_t got = read(ends_[0], part.data(), part.size());
            if (got > 0)
                text.add({part.data(), static_cast<std::size_t>(got)});
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
                  SaidErrors& said) {
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

ProcessTable::ProcessTable() = default;
ProcessTable::~ProcessTable() = default;

void ProcessTable::guard() {
    const std::lock_guard lock(mutex_);
    if (guardian_ == nullptr) guardian_ = std::make_unique<Guardian>(places_);
}

ProcessPlace& ProcessTable::place() {
    const std::lock_guard lock(mutex_);
    ProcessPlace* const taken = places_.take();
    if (taken == nullptr)
        throw ProcessError("more than " + std::to_string(ProcessPlaces::places_max) +
                           " programs would run at once");
    return *taken;
}

void ProcessTable::give_back(ProcessPlace& place) {
    const std::lock_guard lock(mutex_);
    places_.give_back(place);
}

void ProcessTable::add(pid_t process, ProcessPlace* place) {
    const std::lock_guard lock(mutex_);
    if (place == nullptr) place = places_.take();
    if (place != nullptr) place->process.store(process, std::memory_order_relaxed);
    running_.emplace(process, place);
    if (killed_) ::kill(-process, SIGKILL);
}

int ProcessTable::reap(pid_t process) {
    static_cast<void>(has_ended(process, 0));  // unlocked: it may have to be killed
    const std::lock_guard lock(mutex_);
    if (const auto found = running_.find(process); found != running_.end()) {
        if (found->second != nullptr) places_.give_back(*found->second);
        running_.erase(found);
    }
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
    std::vector<pid_t> groups;
    for (const auto& each : running_) groups.push_back(each.first);
    StrayProcesses strays;
    strays.look(groups);
    for (const pid_t each : groups) ::kill(-each, SIGKILL);
    strays.signal(SIGKILL);
}

std::string ProcessTable::path_of(const std::string& name, Look look) {
    if (name.find('/') != std::string::npos) return name;
    const char* const given = std::getenv("PATH");
    const std::lock_guard lock(mutex_);
    std::string& known = paths_[name];
    if (look == Look::again) known.clear();
    std::istringstream all(given != nullptr ? given : "/bin:/usr/bin");
    for (std::string folder; known.empty() && std::getline(all, folder, ':');) {
        const std::string path = (folder.empty() ? "." : folder) + "/" + name;
        struct stat is {};
        const bool is_file = stat(path.c_str(), &is) == 0 && S_ISREG(is.st_mode);
        if (is_file && access(path.c_str(), X_OK) == 0) known = path;
    }
    return known;
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
    ErrorPipe errors(command.keeps_errors);
    std::vector<char*> words;
    for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    std::vector<char*> variables;
    for (const std::string& each : command.environment)
        variables.push_back(const_cast<char*>(each.c_str()));
    for (char** each = environ; *each != nullptr; ++each) variables.push_back(*each);
    variables.push_back(nullptr);
    ProcessPlace& place = table.place();
    const auto start = [&](const std::string& program) {
        return spawn(
            {place, program.c_str(), words.data(), variables.data(), command.streams, errors.in()});
    };
    pid_t child = start(table.path_of(command.words[0]));
    if (child == -ENOENT) child = start(table.path_of(command.words[0], ProcessTable::Look::again));
    if (child < 0) {
        table.give_back(place);
        throw ProcessError("cannot start '" + command.words[0] + "': " + std::strerror(-child));
    }
    table.add(child, &place);
    errors.close_in();
    ProcessEnd end;
    const auto wait = [&](std::optional<Clock::time_point> until) {
        return wait_for_end(child, until, errors, end.errors);
    };
    if (command.timeout_s <= 0) {
        static_cast<void>(wait(std::nullopt));
    } else if (!wait(after(command.timeout_s))) {
        end.timed_out = true;
        StrayProcesses strays;
        const auto signal = [&](int number) {
            strays.look({&child, 1});
            table.signal(child, number);
            strays.signal(number);
        };
        signal(SIGTERM);
        if (!wait(after(1))) signal(SIGKILL);
        static_cast<void>(wait(std::nullopt));
        signal(SIGKILL);  // what it has started and left behind
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
