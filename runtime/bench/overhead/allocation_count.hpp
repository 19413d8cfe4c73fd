#pragma once

#include <cstdint>

namespace overhead {

/// The number of allocations of this process, on all threads: malloc, calloc, realloc, aligned
/// allocation and operator new, which ends in one of them.
[[nodiscard]] std::uint64_t allocation_count();

}  // namespace overhead
