#include "observe/progress_line.hpp"

#include <algorithm>
#include <pthread.h>
#include <unistd.h>

namespace refrain::observe {

namespace {

/// 1234567 -> "1,234,567"
std::string with_commas(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

}  // namespace

std::string ProgressLine::text(const Counts& counts, std::uint64_t seconds) {
    const std::uint64_t launched = std::max<std::uint64_t>(counts.launched, 1);
    const std::uint64_t pending = counts.launched - std::min(counts.finished, counts.launched);
    return std::to_string(seconds) + " s, " + with_commas(counts.launched) +
           " operations launched, " + std::to_string(100 * counts.replayed / launched) +
           " % replayed, " + with_commas(pending) + " not finished";
}

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
        const Counts counts{launched_.load(std::memory_order_relaxed),
                            replayed_.load(std::memory_order_relaxed),
                            finished_.load(std::memory_order_relaxed)};
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - born_).count();
        write(text(counts, static_cast<std::uint64_t>(seconds)) + "\033[K\r");
        is_shown = true;
        next = now + options_.interval;
    }
    if (is_shown) write("\033[K");
}

void ProgressLine::write(const std::string& text) const noexcept {
    // One call, so that no other output comes between; what a terminal does not take is lost.
    static_cast<void>(::write(options_.terminal, text.data(), text.size()) < 0);
}

}  // namespace refrain::observe
