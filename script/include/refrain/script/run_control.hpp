/// Ends a run from outside: from a signal, a window, another thread.
#pragma once

#include "refrain/script/options.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>

namespace refrain::script {

/// Asks runs to end.
///
///     RunControl control;
///     options.control = &control;
///     std::thread([&] { ...; control.stop(); });     running calls end, nothing else begins
///     control.kill();                                programs that run are killed, too
///
/// Threads: any; not from within a signal handler.
class RunControl {
  public:
    void stop() { raise(1); }
    void kill() { raise(2); }
    [[nodiscard]] bool stopped() const {
        return level_.load(std::memory_order_acquire) >= 1;  // pairs with raise
    }
    [[nodiscard]] bool killed() const {
        return level_.load(std::memory_order_acquire) >= 2;  // pairs with raise
    }

    /// Calls a function after each stop() and kill(), as long as it lives.
    class Listener {
      public:
        Listener(RunControl& control, std::function<void()> on_change);
        Listener(const Listener&) = delete;
        Listener& operator=(const Listener&) = delete;
        ~Listener();

      private:
        RunControl& control_;
        int number_ = 0;
    };

  private:
    void raise(int level);

    std::atomic<int> level_{0};
    std::mutex mutex_;
    std::map<int, std::function<void()>> listeners_;
    int next_ = 0;
};

}  // namespace refrain::script
