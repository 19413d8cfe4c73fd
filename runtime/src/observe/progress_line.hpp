#pragma once

#include "base/atomic.hpp"
#include "base/progress_line.hpp"

#include <cstdint>
#include <string>

namespace refrain::observe {

/// A line on a terminal that says how far a long run has come.
///
///     12 s, 104,331 operations launched, 92 % replayed, 215 not finished
///
///   note          the launching thread   publishes the counts; three stores
///   start, stop   as of base::ProgressLine
/// Pairs: none. The counts are read one by one, each for itself; a line may mix two moments.
class ProgressLine {
  public:
    struct Counts {
        std::uint64_t launched = 0;
        std::uint64_t replayed = 0;
        std::uint64_t finished = 0;
    };

    explicit ProgressLine(const base::ProgressLine::Options& options = {})
        : line_(options, [this] { return text(counts()); }) {}

    void note(const Counts& counts) noexcept {
        launched_.store(counts.launched, std::memory_order_relaxed);
        replayed_.store(counts.replayed, std::memory_order_relaxed);
        finished_.store(counts.finished, std::memory_order_relaxed);
    }

    void start() { line_.start(); }
    void stop() noexcept { line_.stop(); }

    /// "104,331 operations launched, 92 % replayed, 215 not finished"
    [[nodiscard]] static std::string text(const Counts& counts);

  private:
    [[nodiscard]] Counts counts() const noexcept {
        return {launched_.load(std::memory_order_relaxed),
                replayed_.load(std::memory_order_relaxed),
                finished_.load(std::memory_order_relaxed)};
    }

    base::Atomic<std::uint64_t> launched_{0};
    base::Atomic<std::uint64_t> replayed_{0};
    base::Atomic<std::uint64_t> finished_{0};
    base::ProgressLine line_;  // last: its thread reads the others
};

}  // namespace refrain::observe
