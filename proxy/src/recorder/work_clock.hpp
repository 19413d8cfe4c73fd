#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace refrain::proxy {

/// From here on another thread may have had the processor: its clock is worth reading. What computes keeps the processor for a
/// slice of a millisecond or so, and then loses it for as long; what waits in a call gives it away.
inline constexpr double short_work_seconds = 200e-6, short_call_seconds = 20e-6;

/// The median of the latest values: an interrupt within one of them changes nothing.
class SlidingMedian {
  public:
    [[gnu::noinline]] void add(double value) {
        latest_[count_++ % latest_.size()] = value;
        std::array<double, 9> sorted = latest_;
        const auto end =
            sorted.begin() + static_cast<std::ptrdiff_t>(std::min(count_, latest_.size()));
        const auto middle = sorted.begin() + (end - sorted.begin()) / 2;
        std::nth_element(sorted.begin(), middle, end);
        median_ = *middle;
    }
    /// 0 if there is none yet.
    [[nodiscard]] double value() const { return median_; }

  private:
    std::array<double, 9> latest_{};
    std::size_t count_ = 0;
    double median_ = 0;
};

/// Measures processor time between calls, with as few system calls as that allows.
///
/// The clock of the wall costs 20 ns (SystemClock), the thread's processor clock 400. So the latter is read only where
/// an interval is long enough that another thread may have had the processor:
///
///     stop()     a call begins: returns the processor time since resume()
///     resume()   it is over, and recorded; returns the wall time since stop()
///
/// After a long call the processor's clock is read only if work is expected that is long enough to need it. Where that turns
/// out to be wrong the work counts as `unknown_seconds`: more likely another process had the processor.
///
/// `Clock` has static functions wall() and cpu(), in seconds.
template <class Clock>
class WorkClock {
  public:
    void start() {
        cpu_ = Clock::cpu();
        accounted_ = 0;
        known_ = true;
        resumed_ = Clock::wall();
    }
    [[nodiscard]] double stop() {
        stopped_ = Clock::wall();
        const double wall = std::max(stopped_ - resumed_, 0.0);
        if (wall <= short_work_seconds) {
            accounted_ += wall;
            return wall;
        }
        const double cpu = Clock::cpu();
        const double worked =
            known_ ? std::clamp(cpu - cpu_ - accounted_, 0.0, wall) : unknown_seconds;
        cpu_ = cpu;
        accounted_ = 0;
        known_ = true;
        return worked;
    }
    /// When stop() was called.
    [[nodiscard]] double stopped() const { return stopped_; }
    double resume(bool long_work_expected = true) {
        resumed_ = Clock::wall();
        const double away = resumed_ - stopped_;
        const bool must_read = !known_ && long_work_expected;
        if (away <= short_call_seconds && !must_read) {
            accounted_ += away;
            return away;
        }
        known_ = long_work_expected;
        if (!known_) return away;
        cpu_ = Clock::cpu();
        accounted_ = 0;
        resumed_ = Clock::wall();
        return away;
    }

    static constexpr double unknown_seconds = 20e-6;

  private:
    double cpu_ = 0;        // processor time when the clock was last read
    double accounted_ = 0;  // wall time since then, in intervals too short to read it
    bool known_ = true;     // cpu_ and accounted_ say what the processor's clock showed at resume()
    double resumed_ = 0;
    double stopped_ = 0;
};

}  // namespace refrain::proxy
