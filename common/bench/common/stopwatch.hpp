#pragma once

#include <chrono>
#include <ctime>

namespace bench {

/// A measured time: wall and CPU nanoseconds per task.
struct Cost {
    double wall_ns = 0;
    double cpu_ns = 0;
};

/// Wall time, and CPU time of the whole process, since construction.
class Stopwatch {
  public:
    Stopwatch() : wall_(std::chrono::steady_clock::now()), cpu_(cpu_seconds()) {}
    [[nodiscard]] double wall_seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
    }
    [[nodiscard]] Cost per(double tasks) const {
        return {wall_seconds() * 1e9 / tasks, (cpu_seconds() - cpu_) * 1e9 / tasks};
    }

  private:
    static double cpu_seconds() {
        timespec now{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    }
    std::chrono::steady_clock::time_point wall_;
    double cpu_;
};

}  // namespace bench
