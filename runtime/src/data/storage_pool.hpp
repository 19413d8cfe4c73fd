/// The memory that regions and partial results live in: 64-byte aligned blocks, reused while hot.
///
///     void* block = pool.allocate(1000);      // a block of 1024 bytes
///     pool.release(block, 1000);              // kept; the next allocate(900..1024) gets this one
///
///   allocate   any thread   a block of at least the bytes asked for, contents undefined
///   release    any thread   takes a block back, with the bytes that it was asked for
///   bytes_...  any thread   a moment's value
/// All fields are guarded by mutex_; the system is asked, and given back to, outside of it.
/// I1  bytes_in_use_ + bytes_held_ <= bytes_peak_ <= limit: what is kept never makes the
///     program larger than it was at its worst moment.
/// I2  A held block is in two lists through its own first bytes: its size class's, newest first,
///     and the list of all, oldest first. Reuse takes the newest of the class, eviction the oldest
///     of all, so that sizes no longer asked for go first.
/// I3  bytes_in_use_ counts a block from before it is fetched from the system until it is released.
/// Pairs: release (unlock) with allocate (lock): who gets a reused block comes after its last user.
///
/// Size classes: multiples of 64 to 512, then four per power of two; less than a quarter of a block
/// is waste, except below 192 bytes, where the alignment decides.
/// Hot path: one uncontended lock and the block's first line. Guarded by
///     StoragePool.reuses_without_asking_the_system.
/// Under AddressSanitizer held blocks are poisoned: a view that outlives its region is caught.
#pragma once

#include "base/mutex.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace refrain::data {

/// Where blocks come from in the end. `allocate` gives null when it refuses.
struct SystemMemory {
    void* (*allocate)(std::size_t alignment, std::size_t bytes) noexcept;
    void (*release)(void* block, std::size_t bytes) noexcept;

    [[nodiscard]] static SystemMemory standard() noexcept;
};

struct StoragePoolOptions {
    std::size_t limit_bytes = SIZE_MAX;     ///< of blocks in use, as rounded to their class
    std::size_t held_bytes_max = SIZE_MAX;  ///< of blocks kept for reuse
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
    ///     refuses; the pool is then as before, but may have given held blocks back.
    [[nodiscard]] void* allocate(std::size_t bytes);
    void release(void* block, std::size_t bytes) noexcept;
    /// Gives every held block back to the system.
    void trim() noexcept;

    [[nodiscard]] std::size_t bytes_in_use() const noexcept;
    [[nodiscard]] std::size_t bytes_held() const noexcept;
    /// The most that was in use at a time, since the system last refused.
    [[nodiscard]] std::size_t bytes_peak() const noexcept;
    [[nodiscard]] std::size_t limit_bytes() const noexcept { return options_.limit_bytes; }
    /// How often the system was asked for a block.
    [[nodiscard]] std::uint64_t system_allocations() const noexcept;

    /// The bytes that a block asked for with `bytes` takes; SIZE_MAX if there is no such block.
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
    /// Takes the oldest blocks out until at most `held_bytes` are held; returns them as a chain.
    HeldBlock* evict_down_to(std::size_t held_bytes) noexcept REFRAIN_REQUIRES(mutex_);
    void* fetch(std::size_t bytes, std::size_t size_class);
    [[noreturn]] void refuse(std::size_t bytes, std::size_t block_bytes);
    void give_back(HeldBlock* chain) noexcept;

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
