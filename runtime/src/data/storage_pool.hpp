/// A pool of 64-byte aligned blocks for regions and partial results; reuses the most recently
/// released block of a size.
///
///     void* block = pool.allocate(1000);      // a block of 1024 bytes
///     pool.release(block, 1000);              // held; the next allocate(900..1024) returns it
///
///   allocate   any thread   a block of at least the requested bytes, contents undefined
///   release    any thread   takes a block back, with the bytes of its request
///   bytes_...  any thread   a snapshot
/// mutex_ guards all fields; calls to the system are made without it.
/// I1  bytes_in_use_ + bytes_held_ <= bytes_peak_ <= limit: held blocks never make the process
///     larger than it was at its peak.
/// I2  A held block is in two lists, whose links lie in its first bytes: that of its size class,
///     newest first, and that of all blocks, oldest first. Reuse takes the newest of the class,
///     eviction the oldest of all, so sizes no longer requested go first.
/// I3  bytes_in_use_ counts a block from before it is fetched from the system until it is released.
/// Pairs: release (unlock) with allocate (lock): the next user of a block comes after its last
///        user.
///
/// Size classes: multiples of 64 up to 512, then four per power of two. Less than a quarter of a
/// block is wasted, except below 192 bytes, where the alignment is coarser.
/// Hot path: one uncontended lock and the block's first line. Guarded by
///     StoragePool.reuses_without_asking_the_system.
/// Under AddressSanitizer held blocks are poisoned: a view that outlives its region is caught.
#pragma once

#include "base/mutex.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace refrain::data {

/// The system allocator. `allocate` returns null if there is no memory.
struct SystemMemory {
    void* (*allocate)(std::size_t alignment, std::size_t bytes) noexcept;
    void (*release)(void* block, std::size_t bytes) noexcept;

    [[nodiscard]] static SystemMemory standard() noexcept;
};

struct StoragePoolOptions {
    std::size_t limit_bytes = SIZE_MAX;     ///< of blocks in use, rounded up to their size class
    std::size_t held_bytes_max = SIZE_MAX;  ///< of blocks held for reuse
    SystemMemory system = SystemMemory::standard();
};

class StoragePool {
  public:
    static constexpr std::size_t alignment = 64;

    explicit StoragePool(StoragePoolOptions options = {}) noexcept : options_(options) {}
    /// Every block must have been released.
    ~StoragePool();
    StoragePool(const StoragePool&) = delete;
    StoragePool& operator=(const StoragePool&) = delete;
    StoragePool(StoragePool&&) = delete;
    StoragePool& operator=(StoragePool&&) = delete;

    /// Errors: OutOfMemory, without a region's name, if the limit would be exceeded or the system
    ///     has no memory. The pool is then unchanged, but may have freed held blocks.
    [[nodiscard]] void* allocate(std::size_t bytes);
    void release(void* block, std::size_t bytes) noexcept;
    /// Frees every held block.
    void trim() noexcept;

    [[nodiscard]] std::size_t bytes_in_use() const noexcept;
    [[nodiscard]] std::size_t bytes_held() const noexcept;
    /// The maximum of bytes_in_use() since the system last had no memory.
    [[nodiscard]] std::size_t bytes_peak() const noexcept;
    [[nodiscard]] std::size_t limit_bytes() const noexcept { return options_.limit_bytes; }
    /// The number of blocks requested from the system.
    [[nodiscard]] std::uint64_t system_allocations() const noexcept;

    /// The size of the block for a request of `bytes`; SIZE_MAX if there is none so large.
    [[nodiscard]] static std::size_t block_bytes(std::size_t bytes) noexcept;

  private:
    struct HeldBlock;
    static constexpr std::size_t bytes_max = std::size_t{1} << 62;
    static constexpr std::size_t class_count = 8 + 4 * (62 - 9);

    static std::size_t class_of(std::size_t bytes) noexcept;
    static std::size_t class_bytes(std::size_t size_class) noexcept;

    void* take_newest(std::size_t size_class) noexcept REFRAIN_REQUIRES(mutex_);
    void hold(void* block, std::size_t size_class) noexcept REFRAIN_REQUIRES(mutex_);
    void unlink(HeldBlock* block) noexcept REFRAIN_REQUIRES(mutex_);
    /// Removes the oldest blocks until at most `held_bytes` are held; returns them as a list.
    HeldBlock* evict_down_to(std::size_t held_bytes) noexcept REFRAIN_REQUIRES(mutex_);
    void* fetch(std::size_t bytes, std::size_t size_class);
    [[noreturn]] void throw_out_of_memory(std::size_t bytes, std::size_t block_bytes);
    void free_all(HeldBlock* list) noexcept;

    const StoragePoolOptions options_;
    mutable base::Mutex mutex_;
    std::size_t bytes_in_use_ REFRAIN_GUARDED_BY(mutex_) = 0;
    std::size_t bytes_held_ REFRAIN_GUARDED_BY(mutex_) = 0;
    std::size_t bytes_peak_ REFRAIN_GUARDED_BY(mutex_) = 0;
    std::uint64_t system_allocations_ REFRAIN_GUARDED_BY(mutex_) = 0;
    HeldBlock* oldest_ REFRAIN_GUARDED_BY(mutex_) = nullptr;
    HeldBlock* newest_ REFRAIN_GUARDED_BY(mutex_) = nullptr;
    std::array<HeldBlock*, class_count> newest_of_class_ REFRAIN_GUARDED_BY(mutex_){};
};

}  // namespace refrain::data
