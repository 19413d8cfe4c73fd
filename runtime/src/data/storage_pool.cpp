#include "data/storage_pool.hpp"

#include "base/assertion.hpp"
#include "base/pages.hpp"
#include "base/poison.hpp"
#include "data/message.hpp"
#include "refrain/error.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace refrain::data {

/// The first bytes of a held block (I2).
struct StoragePool::HeldBlock {
    HeldBlock* older;
    HeldBlock* newer;
    HeldBlock* older_of_class;
    HeldBlock* newer_of_class;
    std::size_t size_class;
};

SystemMemory SystemMemory::standard() noexcept {
    return {[](std::size_t alignment, std::size_t bytes) noexcept {
                return bytes >= base::huge_pages_bytes_min ? base::map_huge_pages(bytes)
                                                           : base::allocate_pages(alignment, bytes);
            },
            [](void* block, std::size_t bytes) noexcept {
                if (bytes >= base::huge_pages_bytes_min)
                    base::unmap_pages(block, bytes);
                else
                    std::free(block);
            }};
}

StoragePool::~StoragePool() {
    trim();
    const base::LockGuard lock(mutex_);
    REFRAIN_ASSERT(bytes_in_use_ == 0, "a storage pool is destroyed while its blocks are in use");
}

std::size_t StoragePool::class_of(std::size_t bytes) noexcept {
    if (bytes <= 512) return bytes == 0 ? 0 : (bytes - 1) / alignment;
    const std::size_t last = bytes - 1;
    const std::size_t power = static_cast<std::size_t>(std::bit_width(last)) - 1;
    const std::size_t quarter = (last >> (power - 2)) & 3;
    return 8 + (power - 9) * 4 + quarter;
}

std::size_t StoragePool::class_bytes(std::size_t size_class) noexcept {
    if (size_class < 8) return (size_class + 1) * alignment;
    const std::size_t power = (size_class - 8) / 4 + 9;
    const std::size_t quarter = (size_class - 8) % 4;
    return (4 + quarter + 1) << (power - 2);
}

std::size_t StoragePool::block_bytes(std::size_t bytes) noexcept {
    return bytes > bytes_max ? SIZE_MAX : class_bytes(class_of(bytes));
}

void* StoragePool::allocate(std::size_t bytes) {
    const std::size_t rounded = block_bytes(bytes);
    HeldBlock* evicted = nullptr;
    {
        const base::LockGuard lock(mutex_);
        if (rounded > options_.limit_bytes - bytes_in_use_ || rounded == SIZE_MAX) {
            throw OutOfMemory({}, bytes,
                              message(bytes_in_use_, " of at most ", options_.limit_bytes,
                                      " bytes are in use; raise the limit, or release regions that "
                                      "are no longer needed"));
        }
        bytes_in_use_ += rounded;
        bytes_peak_ = std::max(bytes_peak_, bytes_in_use_);
        if (void* const block = take_newest(class_of(bytes))) return block;
        evicted = evict_down_to(bytes_peak_ - bytes_in_use_);  // I1
        ++system_allocations_;
    }
    free_all(evicted);
    return fetch(bytes, class_of(bytes));
}

void* StoragePool::fetch(std::size_t bytes, std::size_t size_class) {
    const std::size_t rounded = class_bytes(size_class);
    void* block = options_.system.allocate(alignment, rounded);
    if (block == nullptr) {
        trim();
        block = options_.system.allocate(alignment, rounded);
    }
    if (block == nullptr) throw_out_of_memory(bytes, rounded);
    REFRAIN_ASSERT(reinterpret_cast<std::uintptr_t>(block) % alignment == 0,
                   "the system returned an unaligned block");
    return block;
}

void StoragePool::throw_out_of_memory(std::size_t bytes, std::size_t rounded) {
    HeldBlock* evicted = nullptr;
    std::size_t in_use = 0;
    {
        const base::LockGuard lock(mutex_);
        REFRAIN_ASSERT(rounded <= bytes_in_use_, "a block is refused that was not counted");
        bytes_in_use_ -= rounded;
        bytes_peak_ = bytes_in_use_;  // it had counted this request
        evicted = evict_down_to(0);   // I1
        in_use = bytes_in_use_;
    }
    free_all(evicted);
    throw OutOfMemory({}, bytes,
                      message("the system has no more, with ", in_use,
                              " bytes in use; use smaller regions, or release those that are no "
                              "longer needed"));
}

void StoragePool::release(void* block, std::size_t bytes) noexcept {
    if (block == nullptr) return;
    const std::size_t size_class = class_of(bytes);
    HeldBlock* evicted = nullptr;
    {
        const base::LockGuard lock(mutex_);
        REFRAIN_ASSERT(class_bytes(size_class) <= bytes_in_use_,
                       "more bytes are released than are in use");
        bytes_in_use_ -= class_bytes(size_class);
        hold(block, size_class);
        REFRAIN_ASSERT(bytes_in_use_ + bytes_held_ <= bytes_peak_,
                       "what is kept makes the program larger");  // I1
        evicted = evict_down_to(options_.held_bytes_max);
    }
    free_all(evicted);
}

void StoragePool::trim() noexcept {
    HeldBlock* evicted = nullptr;
    {
        const base::LockGuard lock(mutex_);
        evicted = evict_down_to(0);
    }
    free_all(evicted);
}

void* StoragePool::take_newest(std::size_t size_class) noexcept {
    HeldBlock* const block = newest_of_class_[size_class];
    if (block == nullptr) return nullptr;
    REFRAIN_ASSERT(block->size_class == size_class, "a block lies in the list of another size");
    unlink(block);
    base::unpoison(block, class_bytes(size_class));
    return block;
}

void StoragePool::hold(void* block, std::size_t size_class) noexcept {
    HeldBlock* const of_class = newest_of_class_[size_class];
    auto* const held = ::new (block) HeldBlock{newest_, nullptr, of_class, nullptr, size_class};
    (newest_ != nullptr ? newest_->newer : oldest_) = held;
    if (of_class != nullptr) of_class->newer_of_class = held;
    newest_ = held;
    newest_of_class_[size_class] = held;
    bytes_held_ += class_bytes(size_class);
    static_assert(sizeof(HeldBlock) <= alignment,
                  "the links of a held block fit the smallest block");
    base::poison(held + 1, class_bytes(size_class) - sizeof(HeldBlock));
}

void StoragePool::unlink(HeldBlock* block) noexcept {
    (block->older != nullptr ? block->older->newer : oldest_) = block->newer;
    (block->newer != nullptr ? block->newer->older : newest_) = block->older;
    if (block->older_of_class != nullptr) {
        block->older_of_class->newer_of_class = block->newer_of_class;
    }
    (block->newer_of_class != nullptr ? block->newer_of_class->older_of_class
                                      : newest_of_class_[block->size_class]) =
        block->older_of_class;
    REFRAIN_ASSERT(class_bytes(block->size_class) <= bytes_held_,
                   "more bytes are taken than are held");
    bytes_held_ -= class_bytes(block->size_class);
}

StoragePool::HeldBlock* StoragePool::evict_down_to(std::size_t held_bytes) noexcept {
    HeldBlock* list = nullptr;
    while (bytes_held_ > held_bytes) {
        HeldBlock* const block = oldest_;
        REFRAIN_ASSERT(block != nullptr, "bytes are held, but no block is");
        unlink(block);
        block->newer = list;
        list = block;
    }
    return list;
}

void StoragePool::free_all(HeldBlock* list) noexcept {
    while (list != nullptr) {
        HeldBlock* const next = list->newer;
        const std::size_t bytes = class_bytes(list->size_class);
        base::unpoison(list, bytes);
        options_.system.release(list, bytes);
        list = next;
    }
}

std::size_t StoragePool::bytes_in_use() const noexcept {
    const base::LockGuard lock(mutex_);
    return bytes_in_use_;
}

std::size_t StoragePool::bytes_held() const noexcept {
    const base::LockGuard lock(mutex_);
    return bytes_held_;
}

std::size_t StoragePool::bytes_peak() const noexcept {
    const base::LockGuard lock(mutex_);
    return bytes_peak_;
}

std::uint64_t StoragePool::system_allocations() const noexcept {
    const base::LockGuard lock(mutex_);
    return system_allocations_;
}

}  // namespace refrain::data
