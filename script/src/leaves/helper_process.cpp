#include "leaves/helper_process.hpp"

#include "values/script_error.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
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

constexpr std::size_t head_size = sizeof(std::uint64_t) + 1;

/// False if the other end is gone.
bool send_frame(int socket, char kind, std::string_view text) {
    const std::uint64_t size = text.size();
    std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
    bytes += kind;
    bytes += text;
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t count = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
    }
    return true;
}
/// Nothing follows a frame before it is answered. Nothing if the other end is gone.
std::optional<std::pair<char, std::string>> received(int socket) {
    std::string bytes(head_size, '\0');
    std::uint64_t size = 0;
    for (std::size_t have = 0; have < head_size + size;) {
        const ssize_t count = recv(socket, bytes.data() + have, bytes.size() - have, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return std::nullopt;
        have += static_cast<std::size_t>(count);
        if (have != head_size) continue;
        std::memcpy(&size, bytes.data(), sizeof size);
        bytes.resize(head_size + size);
    }
    return std::pair(bytes[sizeof size], bytes.substr(head_size));
}

}  // namespace

HelperProcess::HelperProcess(const Serve& serve, processes::ProcessTable& table) : table_(table) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw ScriptError(std::string("cannot make a socket: ") + std::strerror(errno));
    process_ = fork();
    if (process_ == 0) {
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
    if (process_ < 0) {
        close(ends[0]);
        throw ScriptError(std::string("cannot start a process: ") + std::strerror(problem));
    }
    setpgid(process_, process_);  // both do it: whoever is first
    table.add(process_);
    socket_ = ends[0];
}

HelperProcess::~HelperProcess() {
    if (socket_ >= 0) static_cast<void>(ended());
}

void HelperSlot::start_assume_locked(const HelperProcess::Serve& serve,
                                     processes::ProcessTable& table, const std::string& what) {
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
    processes::ProcessEnd end;
    end.status = table_.reap(process_);
    return {failed, true, end.text(0)};
}

HelperProcess::Answer HelperProcess::read_answer() {
    auto frame = received(socket_);
    if (!frame) return ended();
    return {frame->first, false, std::move(frame->second)};
}

HelperProcess::Answer HelperProcess::ask(std::string_view request) {
    return send_frame(socket_, 0, request) ? read_answer() : ended();
}

void HelperProcess::answer(int socket, char kind, std::string_view text) {
    static_cast<void>(
        send_frame(socket, kind, text));  // whether anybody listens is seen by receive()
}

bool HelperProcess::receive(int socket, std::string& request) {
    auto frame = received(socket);
    if (!frame) return false;
    request = std::move(frame->second);
    return true;
}

}  // namespace refrain::script
