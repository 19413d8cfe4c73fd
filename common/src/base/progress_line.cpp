#include "base/progress_line.hpp"

#include <algorithm>
#include <pthread.h>
#include <unistd.h>

namespace refrain::base {

void ProgressLine::start() {
    if (thread_.joinable() || isatty(options_.terminal) != 1) return;
    thread_ = std::thread([this] { run(); });
    static_cast<void>(pthread_setname_np(thread_.native_handle(), "refrain line"));
}

void ProgressLine::stop() noexcept {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wakes_.notify_one();
    thread_.join();
    stopping_ = false;
}

void ProgressLine::run() {
    bool is_shown = false;
    std::unique_lock lock(mutex_);
    auto next = std::max(born_ + options_.first, std::chrono::steady_clock::now());
    while (!wakes_.wait_until(lock, next, [&] { return stopping_; })) {
        const auto now = std::chrono::steady_clock::now();
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - born_).count();
        write(std::to_string(seconds) + " s, " + words_() + "\033[K\r");
        is_shown = true;
        next = now + options_.interval;
    }
    if (is_shown) write("\033[K");
}

void ProgressLine::write(const std::string& text) const noexcept {
    // One call, so that no other output comes between; what a terminal does not take is lost.
    static_cast<void>(::write(options_.terminal, text.data(), text.size()) < 0);
}

}  // namespace refrain::base
