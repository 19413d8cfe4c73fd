#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace refrain::graph {

/// Puts idle workers to sleep and wakes them.
///   sleep_unless  workers       sleeps until woken, unless has_work() is true
///   wake_one      any thread    after publishing work: wakes a sleeper if there is one
///   wake_all      any thread    wakes every sleeper
///   has_sleepers  any thread    a hint, except inside a launch (publishing_right.hpp)
///
///     worker    announced_ += 1    calls has_work()     waits for a token
///     waker     publishes work     loads announced_     announced_ -= 1, tokens_ += 1
///
/// I1  A worker announces itself before its last check for work; a waker publishes work before it
///     checks for announcements. So one of them sees the other: no work is left while all sleep.
/// I2  An announcement ends in exactly one of two ways: its worker withdraws it, or a waker claims
///     it and adds one token. So a waker does nothing once every sleeper is being woken.
/// Order: stores of work, changes and loads of announced_, and the loads in has_work are seq_cst;
///     I1 needs one total order of them.
/// Pairs: the waker's addition to tokens_ (seq_cst, so that it precedes the system's check for
///     waiters in notify_one) with the sleeper's exchange (acquire).
class Sleep {
  public:
    /// Returns whether it slept.
    template <class HasWork>
    bool sleep_unless(HasWork&& has_work) {
        announced_.fetch_add(1, std::memory_order_seq_cst);  // I1
        if (has_work() && claim_announcement()) return false;
        wait_for_token();
        return true;
    }
    void wake_one() {
        if (announced_.load(std::memory_order_seq_cst) != 0) [[unlikely]]  // I1
            wake();
    }
    void wake_all() {
        while (wake()) {
        }
    }
    /// Ordered after the caller's earlier fence or seq_cst step (publishing_right.hpp).
    [[nodiscard]] bool has_sleepers() const {
        return announced_.load(std::memory_order_seq_cst) != 0;
    }

  private:
    bool wake();
    /// Takes one announcement back, or claims another worker's: they are interchangeable. False if
    /// there is none.
    bool claim_announcement();
    void wait_for_token();

    alignas(64) base::Atomic<std::uint32_t> announced_{0};  // read at every publication of work
    alignas(64) base::Atomic<std::uint32_t> tokens_{0};
};

}  // namespace refrain::graph
