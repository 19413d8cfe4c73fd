#pragma once

#include "base/scheduler.hpp"

#include <mutex>

/// Annotations for Clang's thread-safety analysis: which lock guards a field, and which function
/// acquires or requires it.
#if defined(__clang__)
#define REFRAIN_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define REFRAIN_THREAD_ANNOTATION(x)
#endif
#define REFRAIN_CAPABILITY(name) REFRAIN_THREAD_ANNOTATION(capability(name))
#define REFRAIN_SCOPED_CAPABILITY REFRAIN_THREAD_ANNOTATION(scoped_lockable)
#define REFRAIN_GUARDED_BY(mutex) REFRAIN_THREAD_ANNOTATION(guarded_by(mutex))
#define REFRAIN_REQUIRES(...) REFRAIN_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define REFRAIN_ACQUIRE(...) REFRAIN_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define REFRAIN_TRY_ACQUIRE(...) REFRAIN_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define REFRAIN_RELEASE(...) REFRAIN_THREAD_ANNOTATION(release_capability(__VA_ARGS__))

namespace refrain::base {

/// A std::mutex that Clang checks. If it is stepped and the thread has a Scheduler, taking it is a
/// step, and waiting for it gives the turn to another thread.
template <bool stepped>
class REFRAIN_CAPABILITY("mutex") BasicMutex {
  public:
    void lock() REFRAIN_ACQUIRE() {
        if constexpr (stepped) {
            if (Scheduler::is_set()) return lock_in_steps();
        }
        mutex_.lock();
    }
    [[nodiscard]] bool try_lock() REFRAIN_TRY_ACQUIRE(true) {
        if constexpr (stepped) Scheduler::step();
        return mutex_.try_lock();
    }
    void unlock() REFRAIN_RELEASE() {
        mutex_.unlock();
        if constexpr (stepped) Scheduler::unpark_all(this);
    }

  private:
    void lock_in_steps() {
        Scheduler::step();
        while (!mutex_.try_lock()) Scheduler::park(this);
    }

    std::mutex mutex_;
};
using SteppedMutex = BasicMutex<true>;

/// The mutex of everything that is explored: stepped in a build with REFRAIN_INTERLEAVING=1.
///
///     mutable Mutex mutex_;
///     std::vector<Entry> entries_ REFRAIN_GUARDED_BY(mutex_);
///     ...
///     const LockGuard lock(mutex_);
#if defined(REFRAIN_INTERLEAVING) && REFRAIN_INTERLEAVING
using Mutex = SteppedMutex;
#else
using Mutex = BasicMutex<false>;
#endif

/// Holds a mutex while it lives.
template <bool stepped>
class REFRAIN_SCOPED_CAPABILITY LockGuard {
  public:
    explicit LockGuard(BasicMutex<stepped>& mutex) REFRAIN_ACQUIRE(mutex) : mutex_(mutex) {
        mutex_.lock();
    }
    ~LockGuard() REFRAIN_RELEASE() { mutex_.unlock(); }
    LockGuard(const LockGuard&) = delete;
    LockGuard& operator=(const LockGuard&) = delete;

  private:
    BasicMutex<stepped>& mutex_;
};

}  // namespace refrain::base
