#include "leaves/helper_process.hpp"

#include "leaves/frame_socket.hpp"
#include "values/script_error.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/socket.h>
#include <unistd.h>

namespace refrain::script {
namespace {

/// Closes what is open from `first` to `last`.
void close_all(unsigned first, unsigned last) {
    if (first > last || close_range(first, last, 0) == 0) return;
    const auto limit =
        static_cast<unsigned>(sysconf(_SC_OPEN_MAX));  // the system has no close_range
    for (unsigned each = first; each <= last && each < limit; ++each) close(static_cast<int>(each));
}

/// What a fork takes along and the copy should not have: a terminal, sockets of others, blocked signals, text to be
/// written.
void become_helper(int socket) {
    setpgid(0, 0);
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(each, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    const auto own = static_cast<unsigned>(socket);
    close_all(3, own - 1);
    close_all(own + 1, ~0U);
    __fpurge(stdout);
    setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // it ends without writing what is left
    static int own_socket = -1;
    own_socket = socket;
    // Processes that a call forks must not keep this one's end open: its crash would not be noticed.
    pthread_atfork(nullptr, nullptr, [] { close(own_socket); });
}

/// One frame: nothing follows it before it is answered.
std::optional<Frame> received(int socket) {
    FrameSocket from(socket);
    while (from.fill(true))
        if (auto frame = from.take()) return frame;
    return std::nullopt;
}

}  // namespace

ForkedProcess forked(const HelperProcess::Serve& serve, ProcessTable& table) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw ScriptError(std::string("cannot make a socket: ") + std::strerror(errno));
    const pid_t process = fork();
    if (process == 0) {
        int status = 1;  // nothing that is thrown may return into the copy of the caller
        try {
            become_helper(ends[1]);
            status = serve(ends[1]);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "a process of the run failed: %s\n", error.what());
        } catch (...) {
            std::fprintf(stderr, "a process of the run failed\n");
        }
        _exit(status);
    }
    const int problem = errno;
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        throw ScriptError(std::string("cannot start a process: ") + std::strerror(problem));
    }
    setpgid(process, process);  // both do it: whoever is first
    table.add(process);
    return {process, ends[0]};
}

HelperProcess::HelperProcess(const Serve& serve, ProcessTable& table) : table_(table) {
    const ForkedProcess made = forked(serve, table);
    process_ = made.process;
    socket_ = made.socket;
}

HelperProcess::~HelperProcess() {
    if (socket_ >= 0) static_cast<void>(ended());
}

void HelperSlot::start_assume_locked(const HelperProcess::Serve& serve, ProcessTable& table,
                                     const std::string& what) {
    if (helper != nullptr) return;
    auto made = std::make_unique<HelperProcess>(serve, table);
    const HelperProcess::Answer answer = made->greeting();
    if (!answer.well())
        throw ScriptError(answer.ended
                              ? "the process of " + what + " " + answer.text + " when it began"
                              : answer.text);
    helper = std::move(made);
}

HelperProcess::Answer HelperProcess::ended() {
    close(socket_);
    socket_ = -1;
    ProcessEnd end;
    end.status = table_.reap(process_);
    return {failed, true, end.text(0)};
}

HelperProcess::Answer HelperProcess::read_answer() {
    auto frame = received(socket_);
    if (!frame) return ended();
    return {frame->kind, false, std::move(frame->text)};
}

HelperProcess::Answer HelperProcess::ask(std::string_view request) {
    FrameSocket socket(socket_);
    socket.put(0, request);
    if (!socket.flush(true)) return ended();
    return read_answer();
}

void HelperProcess::answer(int socket, char kind, std::string_view text) {
    FrameSocket to(socket);
    to.put(kind, text);
    static_cast<void>(to.flush(true));  // whether anybody listens is seen by receive()
}

bool HelperProcess::receive(int socket, std::string& request) {
    auto frame = received(socket);
    if (!frame) return false;
    request = std::move(frame->text);
    return true;
}

}  // namespace refrain::script
