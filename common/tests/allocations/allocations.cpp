#include "allocations/allocations.hpp"

#include "refrain/detail/sanitizers.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::atomic<std::uint64_t> count{0};
std::atomic<std::int64_t> bytes{0};
thread_local std::uint64_t calls_to_failure = 0;  // 0: none fails
thread_local bool failure_lasts = false;
thread_local bool failed = false;

[[maybe_unused]] void fail_if_asked() {
    if (calls_to_failure == 0 || --calls_to_failure != 0) return;
    failed = true;
    if (failure_lasts) calls_to_failure = 1;
    throw std::bad_alloc();
}
[[maybe_unused]] void* counted(void* block) {
    if (block == nullptr) throw std::bad_alloc();
#if !defined(REFRAIN_ADDRESS_SANITIZER) && !defined(REFRAIN_THREAD_SANITIZER)
    count.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(static_cast<std::int64_t>(malloc_usable_size(block)),
                    std::memory_order_relaxed);
#endif
    return block;
}
[[maybe_unused]] void give_back(void* block) {
#if !defined(REFRAIN_ADDRESS_SANITIZER) && !defined(REFRAIN_THREAD_SANITIZER)
    bytes.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(block)),
                    std::memory_order_relaxed);
#endif
    std::free(block);
}

}  // namespace

#if !defined(REFRAIN_THREAD_SANITIZER)  // it cannot do without its own
// The array forms call these, but for those of a sanitizer. Not inlined, so that GCC does not pair free with new.
[[gnu::noinline]] void* operator new(std::size_t size) {
    fail_if_asked();
    return counted(std::malloc(std::max<std::size_t>(size, 1)));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
    fail_if_asked();
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(
        std::aligned_alloc(unit, (std::max<std::size_t>(size, 1) + unit - 1) / unit * unit));
}
// A sanitizer's own nothrow forms allocate elsewhere, and the operator delete below would free that.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
    return ::operator new(size);
} catch (const std::bad_alloc&) {
    return nullptr;
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept try {
    return ::operator new(size, alignment);
} catch (const std::bad_alloc&) {
    return nullptr;
}
[[gnu::noinline]] void operator delete(void* block) noexcept {
    give_back(block);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept {
    give_back(block);
}
[[gnu::noinline]] void operator delete(void* block, std::align_val_t) noexcept {
    give_back(block);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    give_back(block);
}
#endif

namespace refrain::testing {

std::uint64_t allocations() {
    return count.load(std::memory_order_relaxed);
}
std::int64_t allocated_bytes() {
    return bytes.load(std::memory_order_relaxed);
}

FailingAllocation::FailingAllocation(std::uint64_t call, Until until) {
    calls_to_failure = call;
    failure_lasts = until == Until::end;
    failed = false;
}
FailingAllocation::~FailingAllocation() {
    calls_to_failure = 0;
}
bool FailingAllocation::has_failed() const {
    return failed;
}

}  // namespace refrain::testing
