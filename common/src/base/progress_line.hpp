#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace refrain::base {

/// A line on a terminal that says how far long work has come. A thread of its own rewrites it.
///
///     12 s, 104,331 operations launched
///
/// The cursor stays at the line's beginning, so that what the program prints overwrites it.
///
///   words         the line's thread      between start and stop
///   start, stop   any thread, one at a time; a fork stops it before and starts it after, unless the
///                 child becomes another program at once
class ProgressLine {
  public:
    struct Options {
        int terminal = 2;
        std::chrono::milliseconds first{2000};  // work that is over by then shows no line
        std::chrono::milliseconds interval{500};
    };

    /// `words` say what stands behind the seconds.
    ProgressLine(const Options& options, std::function<std::string()> words)
        : options_(options), words_(std::move(words)) {}
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ProgressLine(ProgressLine&&) = delete;
    ProgressLine& operator=(ProgressLine&&) = delete;
    ~ProgressLine() { stop(); }

    /// Does nothing where there is no terminal.
    void start();
    /// Takes the line away.
    void stop() noexcept;

  private:
    void run();
    void write(const std::string& text) const noexcept;

    Options options_;
    std::function<std::string()> words_;
    std::chrono::steady_clock::time_point born_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::condition_variable wakes_;
    bool stopping_ = false;  // by mutex_
    std::thread thread_;
};

}  // namespace refrain::base
