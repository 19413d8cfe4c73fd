#pragma once

#include <cstddef>

/// Tells the address sanitizer which bytes of recycled memory may be touched; nothing in other
/// builds.
///
/// An arena poisons what it takes back and unpoisons what it hands out, so that a record used after
/// it has retired is reported like any other use after free.

#if defined(__SANITIZE_ADDRESS__)
#define REFRAIN_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define REFRAIN_ADDRESS_SANITIZER 1
#endif
#endif

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
