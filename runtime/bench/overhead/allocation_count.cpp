#include "overhead/allocation_count.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

// glibc lets a program interpose its own functions.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {
std::atomic<std::uint64_t> allocations{0};
void count() {
    allocations.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

extern "C" {
void* malloc(std::size_t bytes) {
    count();
    return __libc_malloc(bytes);
}
void* calloc(std::size_t number, std::size_t bytes) {
    count();
    return __libc_calloc(number, bytes);
}
void* realloc(void* block, std::size_t bytes) {
    count();
    return __libc_realloc(block, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    count();
    return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
    count();
    *block = __libc_memalign(alignment, bytes);
    return *block == nullptr ? ENOMEM : 0;
}
}

namespace overhead {
std::uint64_t allocation_count() {
    return allocations.load(std::memory_order_relaxed);
}
}  // namespace overhead
