#pragma once

#include "base/atomic.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace refrain::observe {

/// A line on a terminal that says how far a long run has come. A thread of its own rewrites it.
///
///     12 s, 104,331 operations launched, 92 % replayed, 215 not finished
///
/// The cursor stays at the line's beginning, so that what the program prints overwrites it.
///
///   note          the launching thread   publishes the counts; three stores
///   start, stop   any thread, one at a time; a fork stops it before and starts it after
/// Pairs: none. The counts are read one by one, each for itself; a line may mix two moments.
class ProgressLine {
  public:
    struct Counts {
        std::uint64_t launched = 0;
        std::uint64_t replayed = 0;
        std::uint64_t finished = 0;
    };
    struct Options {
        int terminal = 2;
        std::chrono::milliseconds first{2000};  // a run that is over by then shows no line
        std::chrono::milliseconds interval{500};
    };

    explicit ProgressLine(const Options& options) : options_(options) {}
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ProgressLine(ProgressLine&&) = delete;
    ProgressLine& operator=(ProgressLine&&) = delete;
    ~ProgressLine() { stop(); }

    void note(const Counts& counts) noexcept {
        launched_.store(counts.launched, std::memory_order_relaxed);
        replayed_.store(counts.replayed, std::memory_order_relaxed);
        finished_.store(counts.finished, std::memory_order_relaxed);
    }

    /// Does nothing where there is no terminal.
    void start();
    /// Takes the line away.
    void stop() noexcept;

    /// "12 s, 104,331 operations launched, 92 % replayed, 215 not finished"
    [[nodiscard]] static std::string text(const Counts& counts, std::uint64_t seconds);

  private:
    void run();
    void write(const std::string& text) const noexcept;

    Options options_;
    base::Atomic<std::uint64_t> launched_{0};
    base::Atomic<std::uint64_t> replayed_{0};
    base::Atomic<std::uint64_t> finished_{0};
    std::chrono::steady_clock::time_point born_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::condition_variable wakes_;
    bool stopping_ = false;  // by mutex_
    std::thread thread_;
};

}  // namespace refrain::observe
