#pragma once

#include "refrain/detail/sanitizers.hpp"

#include <cstdint>

/// How many random programs a property test tries: `count`, or an eighth where a sanitizer
/// makes each about ten times as slow. The builds without sanitizers try them all.
constexpr std::uint64_t tries(std::uint64_t count) {
#if defined(REFRAIN_ADDRESS_SANITIZER) || defined(REFRAIN_THREAD_SANITIZER)
    return (count + 7) / 8;
#else
    return count;
#endif
}
