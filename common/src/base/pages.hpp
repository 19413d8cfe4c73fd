#pragma once

#include <cstddef>
#include <cstdlib>
#include <sys/mman.h>

/// Memory for elements of arrays. Large blocks ask for huge pages: a program that touches them first
/// takes one page fault per 2 MiB instead of 512.

namespace refrain::base {

/// From that size on huge pages are asked for: two of them, so that the rest of a block that does not
/// fill one is the smaller part.
inline constexpr std::size_t huge_pages_bytes_min = std::size_t{4} << 20;
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// A block that free() takes back; null if there is no memory.
[[nodiscard]] inline void* allocate_pages(std::size_t alignment, std::size_t bytes) noexcept {
    void* block = nullptr;
    const bool is_huge = bytes >= huge_pages_bytes_min;
    if (posix_memalign(&block, is_huge ? huge_page_bytes : alignment, bytes) != 0) return nullptr;
#if defined(MADV_HUGEPAGE)
    if (is_huge) static_cast<void>(madvise(block, bytes, MADV_HUGEPAGE));  // a hint: it may fail
#endif
    return block;
}

}  // namespace refrain::base
