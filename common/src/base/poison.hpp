#pragma once

#include "refrain/detail/sanitizers.hpp"

#include <cstddef>

/// Tells the address sanitizer which bytes of recycled memory are valid; does nothing in other
/// builds.
///
/// An arena poisons retired memory and unpoisons what it allocates, so the sanitizer reports the
/// use of a retired record like any other use after free.

#if defined(REFRAIN_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif

namespace refrain::base {

inline void poison([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(REFRAIN_ADDRESS_SANITIZER)
    __asan_poison_memory_region(begin, bytes);
#endif
}

inline void unpoison([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(REFRAIN_ADDRESS_SANITIZER)
    __asan_unpoison_memory_region(begin, bytes);
#endif
}

}  // namespace refrain::base
