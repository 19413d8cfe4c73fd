#include "streams/live_bytes.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::atomic<std::size_t> live{0};
std::atomic<std::size_t> peak{0};

/// Counts the usable size of the block, which may exceed the requested one.
void* counted(void* block) {
    if (block == nullptr) throw std::bad_alloc();
    const std::size_t bytes = malloc_usable_size(block);
    const std::size_t now = live.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::size_t most = peak.load(std::memory_order_relaxed);
    while (most < now && !peak.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
    }
    return block;
}

void give_back(void* block) {
    if (block == nullptr) return;
    live.fetch_sub(malloc_usable_size(block), std::memory_order_relaxed);
    std::free(block);
}

}  // namespace

// The array and nothrow forms of new and delete call these.
void* operator new(std::size_t bytes) {
    return counted(std::malloc(std::max<std::size_t>(bytes, 1)));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(
        std::aligned_alloc(unit, (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit));
}
void operator delete(void* block) noexcept {
    give_back(block);
}
void operator delete(void* block, std::size_t) noexcept {
    give_back(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    give_back(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    give_back(block);
}

namespace streams {

std::size_t live_bytes() {
    return live.load(std::memory_order_relaxed);
}
std::size_t peak_bytes() {
    return peak.load(std::memory_order_relaxed);
}
void forget_peak() {
    peak.store(live.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

}  // namespace streams
