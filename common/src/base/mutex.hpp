#pragma once

#include "base/interleaving.hpp"

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

/// A std::mutex with thread-safety annotations. Inside interleaving::run, waiting for it switches
/// to another thread.
///
///     mutable Mutex mutex_;
///     std::vector<Entry> entries_ REFRAIN_GUARDED_BY(mutex_);
///     ...
///     const LockGuard lock(mutex_);
class REFRAIN_CAPABILITY("mutex") Mutex {
  public:
    void lock() REFRAIN_ACQUIRE() {
        if (!interleaving::in_run()) return mutex_.lock();
        interleaving::step();
        while (!mutex_.try_lock()) interleaving::park(this);
    }
    [[nodiscard]] bool try_lock() REFRAIN_TRY_ACQUIRE(true) {
        interleaving::step();
        return mutex_.try_lock();
    }
    void unlock() REFRAIN_RELEASE() {
        mutex_.unlock();
        interleaving::unpark_all(this);
    }

  private:
    std::mutex mutex_;
};

/// Holds a Mutex while it lives.
class REFRAIN_SCOPED_CAPABILITY LockGuard {
  public:
    explicit LockGuard(Mutex& mutex) REFRAIN_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
    ~LockGuard() REFRAIN_RELEASE() { mutex_.unlock(); }
    LockGuard(const LockGuard&) = delete;
    LockGuard& operator=(const LockGuard&) = delete;

  private:
    Mutex& mutex_;
};

}  // namespace refrain::base
