#pragma once

#include <cstdint>

namespace overhead {

/// How often this process, on any thread, has asked for memory: malloc, calloc, realloc, aligned
/// allocation and operator new, which end in one of them.
[[nodiscard]] std::uint64_t allocation_count();

}  // namespace overhead
