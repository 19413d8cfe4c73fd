#pragma once

#include <algorithm>

namespace refrain::proxy {

/// Measures processor time between calls, with as few system calls as that allows.
///
/// The monotonic clock costs 20 ns, the thread's processor clock 400. So the latter is read only where
/// an interval is long enough that another thread may have had the processor:
///
///     stop()     a call begins: returns the processor time since resume()
///     resume()   it is over, and recorded
///
/// `Clock` has static functions wall() and cpu(), in seconds.
template <class Clock>
class WorkClock {
  public:
    void start() {
        cpu_ = Clock::cpu();
        accounted_ = 0;
        resumed_ = Clock::wall();
    }
    [[nodiscard]] double stop() {
        stopped_ = Clock::wall();
        const double wall = stopped_ - resumed_;
        if (wall <= short_seconds) {
            accounted_ += wall;
            return wall;
        }
        const double cpu = Clock::cpu();
        const double worked = std::clamp(cpu - cpu_ - accounted_, 0.0, wall);
        cpu_ = cpu;
        accounted_ = 0;
        return worked;
    }
    void resume() {
        resumed_ = Clock::wall();
        const double away = resumed_ - stopped_;
        if (away <= short_seconds) {
            accounted_ += away;
            return;
        }
        cpu_ = Clock::cpu();
        accounted_ = 0;
        resumed_ = Clock::wall();
    }

    static constexpr double short_seconds = 20e-6;

  private:
    double cpu_ = 0;        // processor time when the clock was last read
    double accounted_ = 0;  // wall time since then, in intervals too short to read it
    double resumed_ = 0;
    double stopped_ = 0;
};

}  // namespace refrain::proxy
