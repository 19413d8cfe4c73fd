#include <cfenv>

#include "kernels/loops.hpp"
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace refrain::array::kernels {

namespace {

// What integer loops found; the machine has no flags for it.
thread_local ValueFlags raised = 0;

}  // namespace

void raise(ValueFlags flags) noexcept {
    raised = static_cast<ValueFlags>(raised | flags);
}

#if defined(__SSE2__)
// The register itself: <cfenv> would look at that of the x87, too, which costs a hundred times more.
ValueFlags take_value_flags() noexcept {
    const unsigned state = _mm_getcsr();
    ValueFlags flags = raised;
    if ((state & 0x3FU) != 0) {
        if ((state & 0x01U) != 0) flags |= invalid;
        if ((state & 0x04U) != 0) flags |= divided_by_zero;
        if ((state & 0x08U) != 0) flags |= overflowed;
        if ((state & 0x10U) != 0) flags |= underflowed;
        _mm_setcsr(state & ~0x3FU);
    }
    raised = 0;
    return flags;
}
#else
ValueFlags take_value_flags() noexcept {
    const int state = std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW);
    ValueFlags flags = raised;
    if (state != 0) {
        if ((state & FE_INVALID) != 0) flags |= invalid;
        if ((state & FE_DIVBYZERO) != 0) flags |= divided_by_zero;
        if ((state & FE_OVERFLOW) != 0) flags |= overflowed;
        if ((state & FE_UNDERFLOW) != 0) flags |= underflowed;
        std::feclearexcept(FE_ALL_EXCEPT);
    }
    raised = 0;
    return flags;
}
#endif

}  // namespace refrain::array::kernels
