#include "leaves/helper_process.hpp"

#include "values/script_error.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/socket.h>
#include <unistd.h>

namespace refrain::script {
namespace {

bool send_all(int socket, const char* bytes, std::size_t count) {
    while (count != 0) {
        const ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        count -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool receive_all(int socket, char* bytes, std::size_t count) {
    while (count != 0) {
        const ssize_t got = recv(socket, bytes, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        count -= static_cast<std::size_t>(got);
    }
    return true;
}

/// The size, the bytes in front, and the text, in one piece.
std::string framed(std::string_view front, std::string_view text) {
    const std::uint64_t size = front.size() + text.size();
    std::string all(sizeof size, '\0');
    std::memcpy(all.data(), &size, sizeof size);
    all += front;
    all += text;
    return all;
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
    if (own > 3) close_range(3, own - 1, 0);
    close_range(own + 1, ~0U, 0);
    __fpurge(stdout);
    setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // it ends without writing what is left
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

HelperProcess::Answer HelperProcess::ended() {
    close(socket_);
    socket_ = -1;
    ProcessEnd end;
    end.status = table_.reap(process_);
    return {failed, true, end.text(0)};
}

HelperProcess::Answer HelperProcess::read_answer() {
    std::string text;
    if (!receive(socket_, text) || text.empty()) return ended();
    const char kind = text[0];
    text.erase(0, 1);
    return {kind, false, std::move(text)};
}

HelperProcess::Answer HelperProcess::ask(std::string_view request) {
    const std::string all = framed({}, request);
    if (!send_all(socket_, all.data(), all.size())) return ended();
    return read_answer();
}

void HelperProcess::answer(int socket, char kind, std::string_view text) {
    const std::string all = framed(std::string_view(&kind, 1), text);
    send_all(socket, all.data(), all.size());
}

bool HelperProcess::receive(int socket, std::string& request) {
    std::uint64_t size = 0;
    if (!receive_all(socket, reinterpret_cast<char*>(&size), sizeof size)) return false;
    request.resize(size);
    return receive_all(socket, request.data(), request.size());
}

}  // namespace refrain::script
