#pragma once

#include "base/assertion.hpp"
#include "base/poison.hpp"
#include "base/prefetch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace refrain::base {

/// Allocates records that retire in allocation order.
///
///     RecordArena arena;
///     auto* a = arena.make<Record>(7, ...);     // belongs to operation 7
///     auto* b = arena.make<Record>(8, ...);
///     arena.retire_below(8);                    // a is dead, b lives
///
/// Records are allocated from chunks, front to back. Each has a number, and numbers never decrease;
/// a chunk is recycled as a whole once all its records have retired:
///
///      closed chunks, oldest first                 current chunk
///     +--------------+    +--------------+        +---------------------+
///     | next ---------->  | next ---------> null  | next                |  header: one line
///     | last  41     |    | last  57     |        | last (in the arena) |
///     +--------------+    +--------------+        +---------------------+
///     | 12 12 13 ... |    | 41 42 ...    |        | 57 58 58 | free     |  payload
///     | ...    41    |    | ...    57    |        |   cursor_^          |
///     +--------------+    +--------------+        +-----------------end_+
///      retired by          retired by
///      retire_below(42)    retire_below(58)
///
/// Invariants:
/// I1  Closed chunks are linked in the order in which they were closed, hence in the order of their
///     last numbers.
/// I2  Free chunks are reused last-in first-out, while they are still in the cache.
/// I3  The arena allocates from the system only if no free chunk fits, or in reserve, and keeps
///     that memory. Hence it allocates nothing once it has seen, or reserved for, the largest
///     distance between the newest and the retired number.
///
/// A record larger than a chunk gets a chunk of its own, of the next power of two in bytes; free
/// chunks are kept per size.
///
/// Hot path:    allocate touches this object's first line and the record; about 1 ns (bench/base).
///              tests/base/record_arena_test checks that it allocates nothing from the system.
/// Errors:      std::bad_alloc when the system has no memory; the arena is then unchanged.
/// Threads:     one thread at a time allocates and retires; records may be used by any thread until
///              they retire.
class RecordArena {
  public:
    static constexpr std::size_t chunk_bytes_default = std::size_t{64} << 10;

    /// Which threads read the records. Recycled memory that other threads have read is still in
    /// their cores' caches; with cross_thread it is prefetched for write before reuse.
    enum class Sharing { single_thread, cross_thread };
    [[nodiscard]] static constexpr Sharing sharing_among(std::uint64_t threads) {
        return threads > 1 ? Sharing::cross_thread : Sharing::single_thread;
    }

    explicit RecordArena(std::size_t chunk_bytes = chunk_bytes_default,
                         Sharing sharing = Sharing::single_thread);
    explicit RecordArena(Sharing sharing) : RecordArena(chunk_bytes_default, sharing) {}
    ~RecordArena();
    RecordArena(const RecordArena&) = delete;
    RecordArena& operator=(const RecordArena&) = delete;
    RecordArena(RecordArena&&) = delete;
    RecordArena& operator=(RecordArena&&) = delete;

    /// Bytes allocated from the system: closed chunks, the current one, and free ones.
    [[nodiscard]] std::size_t bytes_held() const { return bytes_held_; }

    /// `bytes` >= 1 of raw memory at a multiple of `align` (a power of two), valid until
    /// retire_below(n) with n > `number`. `number` is at least that of the call before.
    [[nodiscard]] void* allocate(std::size_t bytes, std::size_t align, std::uint64_t number);

    /// A record constructed in place. Its destructor is never called and must be trivial.
    template <class Record, class... Arguments>
    [[nodiscard]] Record* make(std::uint64_t number, Arguments&&... arguments);

    /// Uninitialised memory for `count` records of one type; nullptr if `count` is 0.
    template <class Record>
    [[nodiscard]] Record* allocate_array(std::size_t count, std::uint64_t number);

    /// Retires all records with a smaller number and recycles each chunk that holds no others.
    void retire_below(std::uint64_t number);

    /// Retires all records. Numbers may restart at 0.
    void retire_all() {
        retire_below(none);
        last_number_ = 0;
    }

    /// Bytes of all records allocated so far.
    [[nodiscard]] std::uint64_t bytes_allocated() const {
        return bytes_allocated_ + (cursor_ - begin_);
    }
    /// Allocates chunks from the system until the arena holds `bytes`, or the system has no more.
    void reserve(std::size_t bytes) noexcept;
    /// Returns free chunks to the system.
    void release_free();

  private:
    struct Chunk;
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
    static constexpr std::size_t size_classes = 64;
    static constexpr std::uintptr_t prefetch_bytes = 1024;  // how far ahead of the cursor
    static constexpr std::uintptr_t never = std::numeric_limits<std::uintptr_t>::max();

    void prefetch_ahead();
    void begin_at(std::uintptr_t payload);
    void* allocate_slowly(std::size_t bytes, std::size_t align, std::uint64_t number);
    void* allocate_oversize(std::size_t bytes, std::size_t align, std::uint64_t number);
    void retire_closed_below(std::uint64_t number);
    void rewind_current();
    void close(Chunk* chunk, std::uint64_t last_number);
    Chunk* take_chunk(std::size_t bytes);
    Chunk* new_chunk(std::size_t bytes);
    void put_free(Chunk* chunk);
    void release(Chunk* list);

    // The line that allocate and retire_below use.
    std::uintptr_t cursor_ = 0;           // the first free byte of the current chunk
    std::uintptr_t end_ = 0;              // one past its last byte
    std::uintptr_t begin_ = 0;            // its first payload byte; rewinding resets cursor_ to it
    std::uintptr_t prefetch_at_ = never;  // once cursor_ passes it, the next lines are prefetched
    std::uint64_t last_number_ = 0;       // of the newest record, in whichever chunk
    std::uint64_t oldest_last_ = none;    // oldest_->last_number, none if there is no closed chunk
    Chunk* current_ = nullptr;
    Chunk* oldest_ = nullptr;

    Chunk* newest_ = nullptr;
    Sharing sharing_;
    std::size_t chunk_bytes_;
    std::size_t bytes_held_ = 0;
    std::uint64_t bytes_allocated_ = 0;        // but for the current chunk
    std::array<Chunk*, size_classes> free_{};  // by the logarithm of the chunk's size
};

inline void* RecordArena::allocate(std::size_t bytes, std::size_t align, std::uint64_t number) {
    REFRAIN_ASSERT(number >= last_number_,
                   "a record's number is smaller than that of the one before");
    const std::uintptr_t start = (cursor_ + align - 1) & ~(std::uintptr_t{align} - 1);
    if (start + bytes > end_) [[unlikely]]
        return allocate_slowly(bytes, align, number);
    cursor_ = start + bytes;
    last_number_ = number;
    if (cursor_ > prefetch_at_) prefetch_ahead();
    void* memory = reinterpret_cast<void*>(start);
    unpoison(memory, bytes);
    return memory;
}

/// Prefetches the lines up to prefetch_bytes ahead of the cursor, but none beyond the chunk: those
/// may belong to someone else.
inline void RecordArena::prefetch_ahead() {
    const std::uintptr_t next = (cursor_ + line_bytes - 1) & ~(std::uintptr_t{line_bytes} - 1);
    const std::uintptr_t end = std::min(next + prefetch_bytes, end_);
    for (std::uintptr_t at = prefetch_at_ + prefetch_bytes; at < end; at += line_bytes)
        prefetch_for_write(reinterpret_cast<const void*>(at));
    prefetch_at_ = next;
}

template <class Record, class... Arguments>
Record* RecordArena::make(std::uint64_t number, Arguments&&... arguments) {
    static_assert(std::is_trivially_destructible_v<Record>, "a retired record is not destroyed");
    void* memory = allocate(sizeof(Record), alignof(Record), number);
    return ::new (memory) Record{std::forward<Arguments>(arguments)...};
}

template <class Record>
Record* RecordArena::allocate_array(std::size_t count, std::uint64_t number) {
    static_assert(std::is_trivially_destructible_v<Record>, "a retired record is not destroyed");
    if (count == 0) return nullptr;
    return static_cast<Record*>(allocate(count * sizeof(Record), alignof(Record), number));
}

inline void RecordArena::retire_below(std::uint64_t number) {
    if (oldest_last_ < number) retire_closed_below(number);
    if (last_number_ < number && cursor_ != begin_) rewind_current();
}

}  // namespace refrain::base
