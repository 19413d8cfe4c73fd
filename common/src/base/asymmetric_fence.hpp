#pragma once

#include <atomic>

namespace refrain::base {

/// A pair of fences for two sides of which one passes often and the other rarely: the frequent side
/// pays nothing, the rare one a system call.
///
///     often     x.store(1, relaxed)     fence.light()     sees_y = y.load(relaxed)
///     rarely    y.store(1, relaxed)     fence.heavy()     sees_x = x.load(relaxed)
///     -> sees_x or sees_y
///
/// light() keeps the compiler from moving the load before the store. heavy() makes every running
/// thread of the process execute a full fence, so a store that a thread has made before is visible,
/// and a load that it makes afterwards sees what precedes heavy(). Where the system has no such call
/// (is_light() is false) both are full fences.
///
/// Threads:  any.
/// Source:   membarrier(2), as in liburcu.
class AsymmetricFence {
  public:
    /// Asks the system once per process.
    AsymmetricFence();

    [[nodiscard]] bool is_light() const { return is_light_; }
    void light() const {
        if (is_light_) [[likely]]
            std::atomic_signal_fence(std::memory_order_seq_cst);
        else
            full_fence();
    }
    void heavy() const;

  private:
    static void full_fence();

    bool is_light_;
};

}  // namespace refrain::base
