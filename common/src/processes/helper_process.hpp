#pragma once

#include "processes/process.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace refrain::processes {

/// What runs in a helper, at the other end of the socket; returns its status.
///
/// It says with HelperProcess::answer() whether it is ready, and then answers each request. Both are frames: 8 bytes of size,
/// one of kind, and the text.
using Serve = int (*)(int socket);

/// Makes helpers: copies of this process as it was when begin() was called.
///
/// In a copy of a process that has threads, each lock that another thread held stays locked for ever: of the allocator, of the
/// loader, of a library. So one copy is made while there are none, which does nothing but copy itself when asked. What it makes
/// are children of this process all the same. Where the copy cannot do that, this process copies itself.
///
/// Threads: any, once begun.
class HelperSource {
  public:
    explicit HelperSource(ProcessTable& table) : table_(table) {}
    HelperSource(const HelperSource&) = delete;
    HelperSource& operator=(const HelperSource&) = delete;
    ~HelperSource();

    /// To be called before threads are started, if any may need a helper; else make() does it.
    /// Errors: ProcessError if the system gives no process.
    void begin();
    /// A process that serves at its copy of the socket, or the negative number of an error. Errors: as of begin().
    [[nodiscard]] pid_t make(Serve serve, int socket);
    [[nodiscard]] ProcessTable& table() { return table_; }

  private:
    void begin_assume_locked();

    ProcessTable& table_;
    std::mutex mutex_;
    int socket_ = -1;
    pid_t process_ = 0;
};

/// A copy of this process that answers requests, one at a time, as the first of a process group.
///
/// What it does besides can neither hold up nor damage this process.
class HelperProcess {
  public:
    static constexpr char failed = 0;
    static constexpr char done = 1;  // others: as the two agree
    struct Answer {
        char kind = failed;
        bool ended = false;  // the helper: the text says how
        std::string text;
        [[nodiscard]] bool well() const { return kind == done; }
    };

    /// Errors: ProcessError if the system gives no process.
    HelperProcess(Serve serve, HelperSource& source);
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;
    /// Lets it end in order.
    ~HelperProcess();

    /// What it said about itself when it began; to be read once.
    [[nodiscard]] Answer greeting() { return read_answer(); }
    [[nodiscard]] Answer ask(std::string_view request);

    // In the copy:
    static void answer(int socket, char kind, std::string_view text);
    /// False at the end.
    [[nodiscard]] static bool receive(int socket, std::string& request);

  private:
    [[nodiscard]] Answer read_answer();
    [[nodiscard]] Answer ended();
    [[nodiscard]] Answer crashed();

    ProcessTable& table_;
    int socket_ = -1;
    pid_t process_ = 0;
};

/// A place for a helper of one worker, made when it is first needed.
struct HelperSlot {
    std::mutex mutex;
    std::unique_ptr<HelperProcess> helper;

    /// Errors: ProcessError if it does not begin; `what` it is the process of.
    void start_assume_locked(Serve serve, HelperSource& source, const std::string& what);
};

}  // namespace refrain::processes
