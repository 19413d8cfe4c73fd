#pragma once

#include <cstdint>

/// What a test program allocates: linked with refrain_allocations, it counts each operator new and
/// delete, on all threads. A sanitizer needs these operators for itself; there all counts are 0.
namespace refrain::testing {

/// Calls of operator new so far.
[[nodiscard]] std::uint64_t allocations();
/// Bytes that operator new has given and operator delete has not taken back.
[[nodiscard]] std::int64_t allocated_bytes();

}  // namespace refrain::testing
