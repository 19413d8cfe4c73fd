#pragma once

#include <cstddef>

namespace refrain::base {

/// Bytes that cross between cores as one.
inline constexpr std::size_t line_bytes = 64;

/// Asks for the line of `address`, which is about to be read. A hint; the address may be any.
inline void prefetch_for_read(const void* address) {
    __builtin_prefetch(address);
}

/// Asks for the line of `address`, which is about to be written: alone, so that the store need not
/// wait until others have let go of theirs. A hint; the address may be any.
inline void prefetch_for_write(const void* address) {
#if defined(__x86_64__)
    // Not __builtin_prefetch: for a processor that may lack the instruction that asks for a line to
    // read, and those that do lack it take this one for nothing.
    asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
    __builtin_prefetch(address, 1);
#endif
}

}  // namespace refrain::base
