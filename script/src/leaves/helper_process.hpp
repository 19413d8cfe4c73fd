#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "processes/process.hpp"

namespace refrain::script {

/// A copy of this process that answers requests, one at a time, as the first of a process group.
///
/// What it does besides can neither hold up nor damage this process.
class HelperProcess {
  public:
    /// What runs in the copy, at the other end of the socket; returns its status.
    ///
    /// It says with answer() whether it is ready, and then answers each request. Both are frames: 8 bytes of
    /// size, one of kind, and the text.
    using Serve = std::function<int(int socket)>;

    static constexpr char failed = 0;
    static constexpr char done = 1;  // others: as the two agree
    struct Answer {
        char kind = failed;
        bool ended = false;  // the helper: the text says how
        std::string text;
        [[nodiscard]] bool well() const { return kind == done; }
    };

    /// Errors: ScriptError if the system gives no process.
    HelperProcess(const Serve& serve, processes::ProcessTable& table);
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

    processes::ProcessTable& table_;
    int socket_ = -1;
    pid_t process_ = 0;
};

/// A place for a helper of one worker, made when it is first needed.
struct HelperSlot {
    std::mutex mutex;
    std::unique_ptr<HelperProcess> helper;

    /// Errors: ScriptError if it does not begin; `what` it is the process of.
    void start_assume_locked(const HelperProcess::Serve& serve, processes::ProcessTable& table,
                             const std::string& what);
};

}  // namespace refrain::script
