#include "property/isolated.hpp"

#include "refrain/detail/sanitizers.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#if defined(REFRAIN_ADDRESS_SANITIZER)
#include <sanitizer/lsan_interface.h>
#endif

/// A report must end the process at once: children end by _exit, which ignores the status that TSan
/// would set at exit.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() {
    return "halt_on_error=1";
}

namespace refrain::property {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void child(int out, const std::function<std::string()>& body) {
    std::string answer = body();
#if defined(REFRAIN_ADDRESS_SANITIZER)
    if (__lsan_do_recoverable_leak_check() != 0) answer += "memory leaked";
#endif
    for (std::size_t sent = 0; sent < answer.size();) {
        const ssize_t written = ::write(out, answer.data() + sent, answer.size() - sent);
        if (written <= 0) break;
        sent += static_cast<std::size_t>(written);
    }
    close(out);
    std::_Exit(EXIT_SUCCESS);
}

/// Reads the child's output to its end; false if the child neither ended nor got on for as long as
/// `patience`.
bool receive(int in, std::chrono::milliseconds patience,
             const std::function<std::uint64_t()>& progress, std::string& answer) {
    std::array<char, 4096> buffer{};
    std::uint64_t seen = progress ? progress() : 0;
    auto deadline = Clock::now() + patience;
    while (true) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd ready{in, POLLIN, 0};
        if (poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) != 0) {
            const ssize_t count = ::read(in, buffer.data(), buffer.size());
            if (count <= 0) return true;
            answer.append(buffer.data(), static_cast<std::size_t>(count));
        } else {
            const std::uint64_t now = progress ? progress() : seen;
            if (now == seen) return false;
            seen = now;
            deadline = Clock::now() + patience;
        }
    }
}

}  // namespace

std::string run_isolated(const std::function<std::string()>& body,
                         std::chrono::milliseconds patience,
                         const std::function<std::uint64_t()>& progress) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("pipe failed");
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("fork failed");
    if (process == 0) {
        close(ends[0]);
        child(ends[1], body);
    }
    close(ends[1]);
    std::string answer;
    const bool finished = receive(ends[0], patience, progress, answer);
    if (!finished) kill(process, SIGKILL);
    close(ends[0]);
    int status = 0;
    waitpid(process, &status, 0);
    if (!finished) return "the process does not end";
    if (WIFSIGNALED(status))
        return std::string("the process was killed by a signal: ") + strsignal(WTERMSIG(status));
    if (WEXITSTATUS(status) != EXIT_SUCCESS)
        return "the process ended with status " + std::to_string(WEXITSTATUS(status));
    return answer;
}

}  // namespace refrain::property
