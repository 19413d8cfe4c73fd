#include "base/asymmetric_fence.hpp"

#if defined(__linux__) && __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#define REFRAIN_HAS_MEMBARRIER 1
#endif

namespace refrain::base {
namespace {

#if defined(REFRAIN_HAS_MEMBARRIER)
bool membarrier(int command) {
    return syscall(SYS_membarrier, command, 0, 0) == 0;
}
bool register_process() {
    return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
           membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}
#else
bool register_process() {
    return false;
}
#endif

}  // namespace

AsymmetricFence::AsymmetricFence() {
    static const bool is_registered = register_process();
    is_light_ = is_registered;
}

void AsymmetricFence::heavy() const {
#if defined(REFRAIN_HAS_MEMBARRIER)
    if (is_light_ && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
#endif
    full_fence();
}

/// Not atomic_thread_fence: the thread sanitizer does not know it.
void AsymmetricFence::full_fence() {
    static std::atomic<unsigned> any{0};
    any.fetch_add(1, std::memory_order_seq_cst);
}

}  // namespace refrain::base
