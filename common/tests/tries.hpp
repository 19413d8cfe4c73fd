#pragma once

#include <cstdint>

/// How many random programs a property test tries: `count`, or a quarter where a sanitizer makes
/// each about ten times as slow. The builds without sanitizers try them all.
constexpr std::uint64_t tries(std::uint64_t count) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return count / 4;
#else
    return count;
#endif
}
