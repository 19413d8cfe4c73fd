#include "processes/helper_process.hpp"

#include "processes/open_files.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sched.h>
#include <stdio_ext.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace refrain::processes {
namespace {

/// What a copy takes along and should not have: a terminal, sockets of others, blocked signals, text to be written.
void become_helper(int socket) {
    setpgid(0, 0);
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(each, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    close_files(3, socket);
    __fpurge(stdout);
}

[[noreturn]] void serve_until_end(Serve serve, int socket) {
    int status = 1;  // nothing that is thrown may return into the copy of the caller
    try {
        become_helper(socket);
        setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // it ends without writing what is left
        static int own_socket = -1;
        own_socket = socket;
        // Processes that a call forks must not keep this one's end open: its crash would not be noticed.
        pthread_atfork(nullptr, nullptr, [] { close(own_socket); });
        status = serve(socket);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "a process of the run failed: %s\n", error.what());
    } catch (...) {
        std::fprintf(stderr, "a process of the run failed\n");
    }
    _exit(status);
}

/// As fork(), but the copy is a child of this one's parent, which learns how it ends. This one has no threads.
pid_t fork_for_parent() {
    int* number = nullptr;  // where the C library keeps that of this thread
    unsigned long flags = CLONE_PARENT | SIGCHLD;
    if (prctl(PR_GET_TID_ADDRESS, &number) == 0) flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
    // The last two are `number` and one that is not used, in an order that depends on the processor.
    return static_cast<pid_t>(syscall(SYS_clone, flags, nullptr, nullptr, number, number));
}

/// What is to be served, and the socket for it. The process that gets it is a copy: functions are at the same addresses.
class Order {
  public:
    explicit Order(Serve function = nullptr) : serve_(function) {
        head_.msg_iov = &text_;
        head_.msg_iovlen = 1;
        head_.msg_control = room_.data();
        head_.msg_controllen = room_.size();
    }
    [[nodiscard]] bool send(int to, int socket) {
        cmsghdr* const file = CMSG_FIRSTHDR(&head_);
        file->cmsg_level = SOL_SOCKET;
        file->cmsg_type = SCM_RIGHTS;
        file->cmsg_len = CMSG_LEN(sizeof socket);
        std::memcpy(CMSG_DATA(file), &socket, sizeof socket);
        return sendmsg(to, &head_, MSG_NOSIGNAL) > 0;
    }
    /// The socket, or -1 if nobody is there any more.
    [[nodiscard]] int receive(int from) {
        ssize_t size = 0;
        while ((size = recvmsg(from, &head_, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
        }
        int socket = -1;
        const cmsghdr* const file = CMSG_FIRSTHDR(&head_);
        if (size > 0 && file != nullptr) std::memcpy(&socket, CMSG_DATA(file), sizeof socket);
        return socket;
    }
    [[nodiscard]] Serve serve() const { return serve_; }

  private:
    Serve serve_;
    iovec text_{&serve_, sizeof serve_};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room_{};
    msghdr head_{};
};

[[noreturn]] void make_helpers(int socket) {
    become_helper(socket);
    for (;;) {
        Order order;
        const int own = order.receive(socket);
        if (own < 0) _exit(0);
        pid_t made = fork_for_parent();
        if (made == 0) serve_until_end(order.serve(), own);
        close(own);
        static_cast<void>(send(socket, &made, sizeof made, MSG_NOSIGNAL));
    }
}

std::array<int, 2> socket_pair(int type) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw ProcessError(std::string("cannot make a socket: ") + std::strerror(errno));
    return ends;
}
[[noreturn]] void throw_no_process(int socket, int problem) {
    close(socket);
    throw ProcessError(std::string("cannot start a process: ") + std::strerror(problem));
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

void HelperSource::begin() {
    const std::lock_guard lock(mutex_);
    begin_assume_locked();
}

void HelperSource::begin_assume_locked() {
    if (socket_ >= 0) return;
    table_.guard();
    const std::array<int, 2> ends = socket_pair(SOCK_SEQPACKET);
    process_ = fork();
    if (process_ == 0) make_helpers(ends[1]);
    const int problem = errno;
    close(ends[1]);
    if (process_ < 0) throw_no_process(ends[0], problem);
    setpgid(process_, process_);  // here and in the child: either may be first
    table_.add(process_);
    socket_ = ends[0];
}

pid_t HelperSource::make(Serve serve, int socket) {
    const std::lock_guard lock(mutex_);
    begin_assume_locked();
    pid_t made = -1;
    if (Order(serve).send(socket_, socket))
        while (recv(socket_, &made, sizeof made, 0) < 0 && errno == EINTR) {
        }
    if (made > 0) return made;
    // The copy has been killed, or the system lets it make no children of this process, as some sandboxes and emulators.
    made = fork();
    if (made == 0) serve_until_end(serve, socket);
    return made < 0 ? -errno : made;
}

HelperSource::~HelperSource() {
    if (socket_ < 0) return;
    close(socket_);
    static_cast<void>(table_.reap(process_));
}

HelperProcess::HelperProcess(Serve serve, HelperSource& source) : table_(source.table()) {
    const std::array<int, 2> ends = socket_pair(SOCK_STREAM);
    process_ = source.make(serve, ends[1]);
    close(ends[1]);
    if (process_ < 0) throw_no_process(ends[0], -process_);
    setpgid(process_, process_);  // here and in the child: either may be first
    table_.add(process_);
    socket_ = ends[0];
}

HelperProcess::~HelperProcess() {
    if (socket_ >= 0) static_cast<void>(ended());
}

void HelperSlot::start_assume_locked(Serve serve, HelperSource& source, const std::string& what) {
    if (helper != nullptr) return;
    auto made = std::make_unique<HelperProcess>(serve, source);
    const HelperProcess::Answer answer = made->greeting();
    if (!answer.well())
        throw ProcessError(answer.ended
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

HelperProcess::Answer HelperProcess::crashed() {
    table_.signal(process_, SIGKILL);  // what it has started, too
    return ended();
}

HelperProcess::Answer HelperProcess::read_answer() {
    auto frame = received(socket_);
    if (!frame) return crashed();
    return {frame->first, false, std::move(frame->second)};
}

HelperProcess::Answer HelperProcess::ask(std::string_view request) {
    return send_frame(socket_, 0, request) ? read_answer() : crashed();
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

}  // namespace refrain::processes
