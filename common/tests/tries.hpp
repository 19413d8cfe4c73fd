#pragma once

#include "refrain/detail/sanitizers.hpp"

#include <cstdint>

#if defined(REFRAIN_ADDRESS_SANITIZER) || defined(REFRAIN_THREAD_SANITIZER)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// How many random programs a property test tries: `count`, or an eighth where a sanitizer
/// makes each about ten times as slow. The builds without sanitizers try them all.
constexpr std::uint64_t tries(std::uint64_t count) {
    return is_sanitized ? (count + 7) / 8 : count;
}
