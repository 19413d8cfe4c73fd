#include "script_command/progress_line.hpp"

#include "base/text.hpp"
#include "values/format.hpp"

#include <cinttypes>
#include <cmath>
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
    std::string text = printed("%" PRIu64 " done, %" PRIu32 " running, %" PRIu64 " ready, %" PRIu64
                               " waiting, %" PRIu64 " failed",
                               progress.tasks_done, progress.calls_running, progress.tasks_ready,
                               progress.tasks_waiting, progress.tasks_failed);
    if (progress.calls_cached != 0) text += printed(", %" PRIu64 " cached", progress.calls_cached);
    if (progress.seconds <= 0) return text;
    const double rate = static_cast<double>(progress.tasks_done) / progress.seconds;
    text += printed(", %.0f/s", std::floor(rate));
    // Turns of a loop are ready once its bounds are known; what they will make is not known.
    const double left =
        static_cast<double>(progress.tasks_ready + progress.tasks_waiting) + progress.calls_running;
    if (rate > 0 && left > progress.calls_running)
        text += ", at least " + duration_text(left / rate) + " more";
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
