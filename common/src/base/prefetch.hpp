#pragma once

#include <cstddef>

namespace refrain::base {

/// Size of a cache line, the unit of transfer between cores.
inline constexpr std::size_t line_bytes = 64;

/// Prefetches the line of `address` for reading. A hint; the address need not be valid.
inline void prefetch_for_read(const void* address) {
    __builtin_prefetch(address);
}

/// Prefetches the line of `address` for writing: exclusively, so that the later store does not wait
/// until other cores have given up their copies. A hint; the address need not be valid.
inline void prefetch_for_write(const void* address) {
#if defined(__x86_64__)
    // Not __builtin_prefetch: unless told that the target has prefetchw, compilers emit a prefetch
    // for reading instead. Processors without prefetchw execute it as a no-op.
    asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
    __builtin_prefetch(address, 1);
#endif
}

}  // namespace refrain::base
