#pragma once

#include "refrain/script/script.hpp"

#include <thread>

namespace refrain::script {

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
    int signals_ = -1;  // a file of signals
    int end_ = -1;      // written when the watch ends
    int signal_ = 0;    // the watching thread's, until that has ended
    std::thread thread_;
};

}  // namespace refrain::script
