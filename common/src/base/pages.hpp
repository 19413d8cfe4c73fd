#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <utility>

/// Memory from the system, page by page.

namespace refrain::base {

// Memory for elements of arrays. Large blocks ask for huge pages: a program that touches them first
// takes one page fault per 2 MiB instead of 512.

/// From that size on huge pages are asked for: two of them, so that the rest of a block that does not
/// fill one is the smaller part.
inline constexpr std::size_t huge_pages_bytes_min = std::size_t{4} << 20;
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// From that size on blocks begin at a page, which costs a sixteenth at most. A core compares the last
/// 12 bits of addresses to tell whether a load may need an earlier store: a loop that writes a little
/// ahead of what it reads, in that sense, waits for stores that it does not need, and takes up to half
/// as long again. Blocks that all begin at a page are read and written in step.
inline constexpr std::size_t page_aligned_bytes_min = std::size_t{64} << 10;
inline constexpr std::size_t page_bytes = 4096;

/// A block that free() takes back; null if there is no memory.
[[nodiscard]] inline void* allocate_pages(std::size_t alignment, std::size_t bytes) noexcept {
    void* block = nullptr;
    const bool is_huge = bytes >= huge_pages_bytes_min;
    if (is_huge)
        alignment = std::max(alignment, huge_page_bytes);
    else if (bytes >= page_aligned_bytes_min)
        alignment = std::max(alignment, page_bytes);
    if (posix_memalign(&block, alignment, bytes) != 0) return nullptr;
#if defined(MADV_HUGEPAGE)
    if (is_huge) static_cast<void>(madvise(block, bytes, MADV_HUGEPAGE));  // a hint: it may fail
#endif
    return block;
}

/// A block of huge_pages_bytes_min or more that nobody has touched, so that each of its pages lies next
/// to the core that touches it first; null if there is no memory. What an allocator gives may have been
/// used before, by anybody. unmap_pages takes it back.
[[nodiscard]] inline void* map_huge_pages(std::size_t bytes) noexcept {
    bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    const std::size_t mapped = bytes + huge_page_bytes;  // to begin at a huge page
    if (mapped < bytes) return nullptr;
    void* const pages =
        mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    auto* const first = static_cast<std::byte*>(pages);
    const std::size_t before =
        (huge_page_bytes - reinterpret_cast<std::uintptr_t>(first) % huge_page_bytes) %
        huge_page_bytes;
    if (before != 0) munmap(first, before);
    std::byte* const block = first + before;
    munmap(block + bytes, huge_page_bytes - before);
#if defined(MADV_HUGEPAGE)
    static_cast<void>(madvise(block, bytes, MADV_HUGEPAGE));  // a hint: it may fail
#endif
    return block;
}
inline void unmap_pages(void* block, std::size_t bytes) noexcept {
    munmap(block, (bytes + page_bytes - 1) / page_bytes * page_bytes);
}

/// Asks the system at once for all pages of a range that is about to be written. On first use it gives them one by one,
/// which on a virtual machine may take 30 us each: twenty times as long, and far longer than to write what is there.
/// A hint: pages that it does not give now it gives then. Returns false if some of the range is no memory.
inline bool fetch_pages(const void* begin, std::size_t bytes) noexcept {
#if defined(MADV_POPULATE_WRITE)
    if (bytes < page_bytes) return true;  // not worth a call
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(begin) / page_bytes * page_bytes;
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(begin) + bytes;
    return madvise(reinterpret_cast<void*>(first), end - first, MADV_POPULATE_WRITE) == 0 ||
           errno != ENOMEM;
#else
    static_cast<void>(begin), static_cast<void>(bytes);
    return true;
#endif
}

/// Asks for pages a step ahead of who writes memory from front to back.
///
///     PagesAhead pages;
///     pages.reach(block, 240);    // a step from `block` on
///     pages.reach(next, 240);     // 16 bytes behind it: nothing, or once in a step the next one
///
/// The blocks may be those of an allocator, which takes what it has not at hand from the end of the heap: a step is shorter
/// where the heap ends. Where blocks do not follow one another, there is one call for as many bytes as a step has.
///
/// Threads:  one at a time.
class PagesAhead {
  public:
    static constexpr std::size_t step_bytes = std::size_t{64} << 10;

    /// `block` is about to be written.
    void reach(const void* block, std::size_t bytes) noexcept {
        const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(block) + bytes;
        if (end - begin_ > bytes_) [[unlikely]]
            go_on(block, bytes);
    }

  private:
    void go_on(const void* block, std::size_t bytes) noexcept {
        constexpr std::size_t gap_max = 64;  // between a block and the next, for the allocator
        const auto begin = reinterpret_cast<std::uintptr_t>(block);
        elsewhere_ += bytes;
        if (begin - begin_ > bytes_ + gap_max && elsewhere_ < step_bytes) return;
        elsewhere_ = 0;
        begin_ = begin;
        bytes_ = std::max(bytes, step_bytes);
        while (!fetch_pages(block, bytes_) && bytes_ > std::max(bytes, page_bytes)) bytes_ /= 2;
    }

    std::uintptr_t begin_ = 0;  // of what was asked for
    std::size_t bytes_ = 0;
    std::size_t elsewhere_ = step_bytes;  // bytes of blocks that lay elsewhere since
};

/// Zero bytes, each page of which the system gives when it is first used. They can be given back a
/// few pages at a time: to give back many at once, or to clear memory that was used before, takes
/// milliseconds.
///
/// Threads:  none of its own.
class ZeroPages {
  public:
    ZeroPages() noexcept = default;
    /// Errors: std::bad_alloc.
    explicit ZeroPages(std::size_t bytes) : bytes_(bytes) {
        void* pages =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) throw std::bad_alloc();
        first_ = static_cast<std::byte*>(pages);
    }
    ZeroPages(const ZeroPages&) = delete;
    ZeroPages& operator=(const ZeroPages&) = delete;
    ZeroPages(ZeroPages&& other) noexcept
        : first_(std::exchange(other.first_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    ZeroPages& operator=(ZeroPages&& other) noexcept {
        ZeroPages taken(std::move(other));
        std::swap(first_, taken.first_);
        std::swap(bytes_, taken.bytes_);
        return *this;
    }
    ~ZeroPages() { give_back(bytes_); }

    [[nodiscard]] std::byte* begin() const noexcept { return first_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    /// Gives back the last pages: at most `bytes`, a multiple of the pages' size.
    void give_back(std::size_t bytes) noexcept {
        bytes = std::min(bytes, bytes_);
        if (bytes == 0) return;
        bytes_ -= bytes;
        munmap(first_ + bytes_, bytes);
    }

  private:
    std::byte* first_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace refrain::base
