#pragma once

namespace refrain::base {

/// Decides which thread goes on, for tests that explore interleavings. Here is only what the
/// explored code calls; the scheduler itself belongs to the tests (common/tests/interleaving).
///
/// A scheduler sets `current` on each thread that it runs, and runs one of them at a time. On all
/// other threads `current` is null and the functions do nothing.
///
/// Threads:     each uses its own `current`.
class Scheduler {
  public:
    /// The scheduler of the calling thread, or null.
    static inline constinit thread_local Scheduler* current = nullptr;

    [[nodiscard]] static bool is_set() { return current != nullptr; }
    /// Called before each atomic operation: another thread may be given the turn.
    static void step() {
        if (current != nullptr) current->take_step();
    }
    /// Sleeps until another thread of the same scheduler wakes this address; may also wake for
    /// nothing. Only if one is set.
    static void park(const void* address) { current->park_at(address); }
    /// Wakes one or all threads that sleep at `address`.
    static void unpark_one(const void* address) {
        if (current != nullptr) current->wake_one_at(address);
    }
    static void unpark_all(const void* address) {
        if (current != nullptr) current->wake_all_at(address);
    }
    /// Whether a weak compare-exchange should fail now although the values are equal.
    [[nodiscard]] static bool wants_spurious_failure() {
        return current != nullptr && current->chooses_spurious_failure();
    }

  protected:
    Scheduler() = default;
    ~Scheduler() = default;
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

  private:
    virtual void take_step() = 0;
    virtual void park_at(const void* address) = 0;
    virtual void wake_one_at(const void* address) = 0;
    virtual void wake_all_at(const void* address) = 0;
    virtual bool chooses_spurious_failure() = 0;
};

}  // namespace refrain::base
