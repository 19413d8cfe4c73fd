#pragma once

#include "refrain/script/script.hpp"

#include <atomic>
#include <csignal>
#include <thread>

namespace refrain::script {

/// Of a terminal: before what is printed over the line of progress, where the cursor stands at its beginning.
inline constexpr const char* clear_line = "\033[K";

/// While it lives, interrupts (SIGINT, SIGTERM, SIGHUP) end the run: the first stops it, the second kills its programs.
///
/// To be made before other threads are: they must not take the signals.
class InterruptWatch {
  public:
    explicit InterruptWatch(RunControl& control);
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;
    ~InterruptWatch();

    /// The signal that came first; 0: none.
    [[nodiscard]] int signal() const { return signal_; }

  private:
    void watch();

    RunControl& control_;
    const sigset_t signals_;
    std::atomic<bool> is_over_{false};  // the signal that comes next is none
    int signal_ = 0;                    // the watching thread's, until that has ended
    std::thread thread_;
};

}  // namespace refrain::script
