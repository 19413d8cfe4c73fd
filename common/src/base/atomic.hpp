#pragma once

#include "base/interleaving.hpp"

#include <atomic>

namespace refrain::base {

/// A std::atomic that may switch to another thread before each of its operations while
/// interleaving::run executes.
///
/// It has those operations of std::atomic that the project uses, each with an explicit memory
/// order, the size of a T, and no conversions. A weak compare-exchange sometimes fails spuriously.
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
        interleaving::step();
        return value_.load(order);
    }
    void store(T value, std::memory_order order) {
        interleaving::step();
        value_.store(value, order);
    }
    T exchange(T value, std::memory_order order) {
        interleaving::step();
        return value_.exchange(value, order);
    }

    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure) {
        interleaving::step();
        return value_.compare_exchange_strong(expected, desired, success, failure);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order order) {
        interleaving::step();
        return value_.compare_exchange_strong(expected, desired, order);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) {
        interleaving::step();
        if (fails_spuriously(expected, failure)) return false;
        return value_.compare_exchange_strong(expected, desired, success, failure);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order order) {
        interleaving::step();
        if (fails_spuriously(expected, std::memory_order_relaxed)) return false;
        return value_.compare_exchange_strong(expected, desired, order);
    }

    template <class Difference>
    T fetch_add(Difference difference, std::memory_order order) {
        interleaving::step();
        return value_.fetch_add(difference, order);
    }
    template <class Difference>
    T fetch_sub(Difference difference, std::memory_order order) {
        interleaving::step();
        return value_.fetch_sub(difference, order);
    }
    T fetch_or(T bits, std::memory_order order) {
        interleaving::step();
        return value_.fetch_or(bits, order);
    }
    T fetch_and(T bits, std::memory_order order) {
        interleaving::step();
        return value_.fetch_and(bits, order);
    }

    /// Blocks while the value is `old`. Inside a run the thread checks again only after a
    /// notification.
    void wait(T old, std::memory_order order) const {
        if (!interleaving::in_run()) return value_.wait(old, order);
        while (load(order) == old) interleaving::park(this);
    }
    void notify_one() {
        interleaving::step();
        interleaving::unpark_one(this);
        value_.notify_one();
    }
    void notify_all() {
        interleaving::step();
        interleaving::unpark_all(this);
        value_.notify_all();
    }

  private:
    bool fails_spuriously(T& expected, std::memory_order order) const {
        if (!interleaving::fail_spuriously()) return false;
        expected = value_.load(order);
        return true;
    }

    std::atomic<T> value_{};
};

static_assert(sizeof(SteppedAtomic<unsigned>) == sizeof(std::atomic<unsigned>),
              "cache-line layouts must be the same in interleaving builds");

/// The atomic for protocols that interleaving tests explore: std::atomic, or SteppedAtomic in a
/// build with REFRAIN_INTERLEAVING=1. Callers name every memory order, because SteppedAtomic has no
/// default.
#if defined(REFRAIN_INTERLEAVING) && REFRAIN_INTERLEAVING
template <class T>
using Atomic = SteppedAtomic<T>;
#else
template <class T>
using Atomic = std::atomic<T>;
#endif

}  // namespace refrain::base
