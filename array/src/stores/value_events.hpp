/// Collects what happens to values, on whatever thread, until the program asks.
#pragma once

#include "refrain/array/value_event.hpp"

#include <atomic>
#include <mutex>
#include <vector>

namespace refrain::array {

/// Threads: all.
class ValueEvents {
  public:
    /// The tiles of an operation make one event, also those that end after it was taken. Beyond
    /// `kept_max`, the operations of a line that has an event of the function already are left out.
    void add(const ValueEvent& event);
    [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_acquire); }
    /// All that were not taken yet, in program order.
    [[nodiscard]] std::vector<ValueEvent> take();

    static constexpr std::size_t kept_max = 1024;

  private:
    struct Kept {
        ValueEvent event;
        unsigned told = 0;  // flags that were taken
    };
    void forget_told();

    std::mutex lock_;
    std::vector<Kept> kept_;
    std::atomic<bool> any_ = false;
};

}  // namespace refrain::array
