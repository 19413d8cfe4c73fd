#pragma once

#include "base/scheduler.hpp"

#include <atomic>

namespace refrain::base {

/// A std::atomic that lets another thread in before each of its operations, on a thread that has a
/// Scheduler.
///
/// It has those operations of std::atomic that the project uses, each with its memory order spelled
/// out, the size of a T, and no conversions. A weak compare-exchange fails for no reason now and
/// then.
template <class T>
class SteppedAtomic {
  public:
    using value_type = T;
    static constexpr bool is_always_lock_free = std::atomic<T>::is_always_lock_free;

    constexpr SteppedAtomic() noexcept = default;
    constexpr SteppedAtomic(T value) noexcept : value_(value) {}
    SteppedAtomic(const SteppedAtomic&) = delete;
    SteppedAtomic& operator=(const SteppedAtomic&) = delete;

    [[nodiscard]] T load(std::memory_order order) const {
        Scheduler::step();
        return value_.load(order);
    }
    void store(T value, std::memory_order order) {
        Scheduler::step();
        value_.store(value, order);
    }
    T exchange(T value, std::memory_order order) {
        Scheduler::step();
        return value_.exchange(value, order);
    }

    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure) {
        Scheduler::step();
        return value_.compare_exchange_strong(expected, desired, success, failure);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order order) {
        Scheduler::step();
        return value_.compare_exchange_strong(expected, desired, order);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) {
        Scheduler::step();
        if (fails_spuriously(expected, failure)) return false;
        return value_.compare_exchange_strong(expected, desired, success, failure);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order order) {
        Scheduler::step();
        if (fails_spuriously(expected, std::memory_order_relaxed)) return false;
        return value_.compare_exchange_strong(expected, desired, order);
    }

    template <class Difference>
    T fetch_add(Difference difference, std::memory_order order) {
        Scheduler::step();
        return value_.fetch_add(difference, order);
    }
    template <class Difference>
    T fetch_sub(Difference difference, std::memory_order order) {
        Scheduler::step();
        return value_.fetch_sub(difference, order);
    }
    T fetch_or(T bits, std::memory_order order) {
        Scheduler::step();
        return value_.fetch_or(bits, order);
    }
    T fetch_and(T bits, std::memory_order order) {
        Scheduler::step();
        return value_.fetch_and(bits, order);
    }

    /// Returns when the value is no longer `old`, which a run notices only after a notification.
    void wait(T old, std::memory_order order) const {
        if (!Scheduler::is_set()) return value_.wait(old, order);
        while (load(order) == old) Scheduler::park(this);
    }
    void notify_one() {
        Scheduler::step();
        Scheduler::unpark_one(this);
        value_.notify_one();
    }
    void notify_all() {
        Scheduler::step();
        Scheduler::unpark_all(this);
        value_.notify_all();
    }

  private:
    bool fails_spuriously(T& expected, std::memory_order order) const {
        if (!Scheduler::wants_spurious_failure()) return false;
        expected = value_.load(order);
        return true;
    }

    std::atomic<T> value_{};
};

static_assert(sizeof(SteppedAtomic<unsigned>) == sizeof(std::atomic<unsigned>),
              "layouts that are laid out by the cache line must not change under the scheduler");

}  // namespace refrain::base
