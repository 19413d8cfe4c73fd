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

/// Memory for records that retire in the order in which they were made.
///
///     RecordArena arena;
///     auto* a = arena.make<Record>(7, ...);     // belongs to operation 7
///     auto* b = arena.make<Record>(8, ...);
///     arena.retire_below(8);                    // a is dead, b lives
///
/// Records are cut off the front of chunks. Each carries a number that never decreases, and a chunk
/// is taken back as a whole once all its records have retired:
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
/// I1  Closed chunks hang in the order in which they were closed, and so in the order of their last
///     numbers.
/// I2  A free chunk is reused last-in first-out, so that it is still in the cache.
/// I3  Memory is asked of the system only if no free chunk fits, or by reserve; what was once asked
///     for is kept. Hence nothing is allocated once the largest distance between the newest and the
///     retired number has been seen, or reserved for.
///
/// A record larger than a chunk gets a chunk of its own, of the next power of two in bytes; free
/// ones are kept per size.
///
/// Hot path:    allocate touches this object's first line and the record; about 1 ns (bench/base).
///              That it asks the system for nothing is guarded by tests/base/record_arena_test.
/// Errors:      std::bad_alloc when the system has no memory; the arena is then unchanged.
/// Threads:     one thread at a time allocates and retires; records may be used by any thread until
///              they retire.
class RecordArena {
  public:
    static constexpr std::size_t chunk_bytes_default = std::size_t{64} << 10;

    /// Who uses the records. Those that other threads have read lie in their cores' caches, too, and
    /// are asked back from there before they are handed out again.
    enum class Readers { same_thread, others };

    explicit RecordArena(std::size_t chunk_bytes = chunk_bytes_default,
                         Readers readers = Readers::same_thread);
    explicit RecordArena(Readers readers) : RecordArena(chunk_bytes_default, readers) {}
    ~RecordArena();
    RecordArena(const RecordArena&) = delete;
    RecordArena& operator=(const RecordArena&) = delete;
    RecordArena(RecordArena&&) = delete;
    RecordArena& operator=(RecordArena&&) = delete;

    /// What the arena has from the system: chunks in use, the current one, and free ones.
    [[nodiscard]] std::size_t bytes_held() const { return bytes_held_; }

    /// `bytes` >= 1 of raw memory at a multiple of `align` (a power of two), valid until
    /// retire_below(n) with n > `number`. `number` is at least that of the call before.
    [[nodiscard]] void* allocate(std::size_t bytes, std::size_t align, std::uint64_t number);

    /// A record built in place. Nobody will call its destructor, so that it must not need one.
    template <class Record, class... Arguments>
    [[nodiscard]] Record* make(std::uint64_t number, Arguments&&... arguments);

    /// Raw room for `count` records of one type; nullptr for none.
    template <class Record>
    [[nodiscard]] Record* allocate_array(std::size_t count, std::uint64_t number);

    /// Ends the life of all records with a smaller number, and recycles each chunk that holds no
    /// others.
    void retire_below(std::uint64_t number);

    /// Ends the life of all records. Numbers may begin anew.
    void retire_all() {
        retire_below(none);
        last_number_ = 0;
    }

    /// All that was allocated so far, in bytes, but for what the current chunk holds.
    [[nodiscard]] std::uint64_t bytes_allocated() const { return bytes_allocated_; }
    /// Asks the system for chunks until the arena holds so many bytes, or the system has no more.
    void reserve(std::size_t bytes) noexcept;
    /// Returns free chunks to the system.
    void release_free();

  private:
    struct Chunk;
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
    static constexpr std::size_t size_classes = 64;
    static constexpr std::uintptr_t ahead_bytes = 1024;
    static constexpr std::uintptr_t nowhere = std::numeric_limits<std::uintptr_t>::max();

    void fetch_ahead();
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
    std::uintptr_t cursor_ = 0;          // the first free byte of the current chunk
    std::uintptr_t end_ = 0;             // one past its last byte
    std::uintptr_t begin_ = 0;           // its first payload byte; cursor_ goes back there
    std::uintptr_t fetch_at_ = nowhere;  // the cursor's next goal: what lies ahead is asked for
    std::uint64_t last_number_ = 0;      // of the newest record, wherever it lies
    std::uint64_t oldest_last_ = none;   // oldest_->last_number, none if there is no closed chunk
    Chunk* current_ = nullptr;
    Chunk* oldest_ = nullptr;

    Chunk* newest_ = nullptr;
    Readers readers_;
    std::size_t chunk_bytes_;
    std::size_t bytes_held_ = 0;
    std::uint64_t bytes_allocated_ = 0;
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
    if (cursor_ > fetch_at_) fetch_ahead();
    void* memory = reinterpret_cast<void*>(start);
    unpoison(memory, bytes);
    return memory;
}

/// What will be handed out a while after the newest record is asked for, line by line; what lies
/// behind the chunk may be somebody else's.
inline void RecordArena::fetch_ahead() {
    const std::uintptr_t next = (cursor_ + line_bytes - 1) & ~(std::uintptr_t{line_bytes} - 1);
    const std::uintptr_t end = std::min(next + ahead_bytes, end_);
    for (std::uintptr_t at = fetch_at_ + ahead_bytes; at < end; at += line_bytes)
        prefetch_for_write(reinterpret_cast<const void*>(at));
    fetch_at_ = next;
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
