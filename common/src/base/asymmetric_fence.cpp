#include "base/asymmetric_fence.hpp"

#include "base/assertion.hpp"

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
#endif

bool register_process() {
#if defined(REFRAIN_HAS_MEMBARRIER)
    return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
           membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
#else
    return false;
#endif
}

}  // namespace

bool has_asymmetric_fence() {
    static const bool is_registered = register_process();
    return is_registered;
}

void heavy_fence() {
#if defined(REFRAIN_HAS_MEMBARRIER)
    [[maybe_unused]] const bool done =
        has_asymmetric_fence() && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    REFRAIN_ASSERT(done, "the system refuses a fence that it had promised");
#endif
}

}  // namespace refrain::base
