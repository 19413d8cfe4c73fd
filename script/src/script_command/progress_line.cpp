#include "script_command/progress_line.hpp"

#include <cstdio>
#include <mutex>
#include <unistd.h>

namespace refrain::script {
namespace {

std::mutex mutex;
bool is_shown = false;

void clear_assume_locked() {
    if (!is_shown) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    is_shown = false;
}

}  // namespace

std::string progress_text(const Progress& progress) {
    std::string text = std::to_string(progress.tasks_done) + " done, " +
                       std::to_string(progress.calls_running) + " running, " +
                       std::to_string(progress.tasks_ready) + " ready, " +
                       std::to_string(progress.tasks_waiting) + " waiting, " +
                       std::to_string(progress.tasks_failed) + " failed";
    if (progress.calls_cached != 0)
        text += ", " + std::to_string(progress.calls_cached) + " cached";
    if (progress.seconds > 0)
        text += ", " +
                std::to_string(static_cast<std::uint64_t>(static_cast<double>(progress.tasks_done) /
                                                          progress.seconds)) +
                "/s";
    return text;
}

bool ProgressLine::has_terminal() {
    return isatty(2) == 1;
}

void ProgressLine::show(const Progress& progress) {
    const std::lock_guard lock(mutex);
    clear_assume_locked();
    std::fputs(progress_text(progress).c_str(), stderr);
    std::fflush(stderr);
    is_shown = true;
}

void ProgressLine::clear() {
    const std::lock_guard lock(mutex);
    clear_assume_locked();
}

}  // namespace refrain::script
