#pragma once

#include <atomic>

namespace refrain::base {

/// A pair of fences for two sides of which one passes often and the other rarely: the frequent side
/// pays nothing, the rare one a system call.
///
///     often     x.store(1, relaxed)     light_fence()     sees_y = y.load(relaxed)
///     rarely    y.store(1, relaxed)     heavy_fence()     sees_x = x.load(relaxed)
///     -> sees_x or sees_y
///
/// light_fence keeps the compiler from moving the load before the store. heavy_fence makes every
/// running thread of the process execute a full fence, so a store that a thread has made before is
/// visible, and a load that it makes afterwards sees what precedes heavy_fence.
///
/// Threads:  any.
/// Source:   membarrier(2), as in liburcu.

/// Whether the system has such a fence (Linux 4.14 and later). Without it, neither function orders
/// anything, and the caller must not rely on them. Asks the system once per process.
[[nodiscard]] bool has_asymmetric_fence();

inline void light_fence() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
}
void heavy_fence();

}  // namespace refrain::base
