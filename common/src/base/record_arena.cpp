#include "base/record_arena.hpp"

#include <bit>

namespace refrain::base {

/// The first line of a chunk; the payload follows. Only the allocating thread touches it.
struct alignas(64) RecordArena::Chunk {
    Chunk* next;                // the next younger closed chunk, or the next free one
    std::uint64_t last_number;  // of its newest record; set when the chunk is closed
    std::size_t bytes;          // header included; a power of two

    [[nodiscard]] std::uintptr_t payload() const {
        return reinterpret_cast<std::uintptr_t>(this) + sizeof(Chunk);
    }
    [[nodiscard]] std::uintptr_t end() const {
        return reinterpret_cast<std::uintptr_t>(this) + bytes;
    }
    [[nodiscard]] std::size_t size_class() const {
        return static_cast<std::size_t>(std::countr_zero(bytes));
    }
    void poison_payload() const {
        poison(reinterpret_cast<const void*>(payload()), bytes - sizeof(Chunk));
    }
};

RecordArena::RecordArena(std::size_t chunk_bytes, Sharing sharing)
    : sharing_(sharing), chunk_bytes_(std::bit_ceil(chunk_bytes)) {
    REFRAIN_ASSERT(chunk_bytes_ >= 2 * sizeof(Chunk), "a chunk has no room beside its header");
}

RecordArena::~RecordArena() {
    release(oldest_);
    if (current_ != nullptr) release(current_);
    release_free();
}

void* RecordArena::allocate_slowly(std::size_t bytes, std::size_t align, std::uint64_t number) {
    REFRAIN_ASSERT(bytes > 0, "a record has no bytes");
    REFRAIN_ASSERT(std::has_single_bit(align), "an alignment is not a power of two");
    if (bytes + align > chunk_bytes_ - sizeof(Chunk))
        return allocate_oversize(bytes, align, number);
    Chunk* fresh = take_chunk(chunk_bytes_);
    if (current_ != nullptr) close(current_, last_number_);
    bytes_allocated_ += cursor_ - begin_;
    current_ = fresh;
    begin_at(fresh->payload());
    end_ = fresh->end();
    return allocate(bytes, align, number);
}

void* RecordArena::allocate_oversize(std::size_t bytes, std::size_t align, std::uint64_t number) {
    REFRAIN_ASSERT(bytes < none / 4 && align < none / 4,
                   "a record is larger than the address space");
    Chunk* chunk = take_chunk(std::bit_ceil(bytes + align + sizeof(Chunk)));
    close(chunk, number);
    bytes_allocated_ += chunk->bytes;
    last_number_ = number;  // the current chunk gets it too, and so may retire later than necessary
    const std::uintptr_t start = (chunk->payload() + align - 1) & ~(std::uintptr_t{align} - 1);
    unpoison(reinterpret_cast<void*>(start), bytes);
    return reinterpret_cast<void*>(start);
}

void RecordArena::close(Chunk* chunk, std::uint64_t last_number) {
    chunk->last_number = last_number;
    chunk->next = nullptr;
    if (newest_ == nullptr) {
        oldest_ = chunk;
        oldest_last_ = last_number;
    } else {
        newest_->next = chunk;  // I1
    }
    newest_ = chunk;
}

void RecordArena::retire_closed_below(std::uint64_t number) {
    while (oldest_ != nullptr && oldest_->last_number < number) {  // I1
        Chunk* retired = oldest_;
        oldest_ = retired->next;
        put_free(retired);
    }
    if (oldest_ == nullptr) newest_ = nullptr;
    oldest_last_ = oldest_ == nullptr ? none : oldest_->last_number;
}

void RecordArena::rewind_current() {
    current_->poison_payload();
    bytes_allocated_ += cursor_ - begin_;
    begin_at(begin_);
}

void RecordArena::begin_at(std::uintptr_t payload) {
    begin_ = cursor_ = payload;
    prefetch_at_ = sharing_ == Sharing::cross_thread ? payload : never;
}

RecordArena::Chunk* RecordArena::take_chunk(std::size_t bytes) {
    Chunk*& free = free_[static_cast<std::size_t>(std::countr_zero(bytes))];
    if (free != nullptr) {  // I2
        Chunk* chunk = free;
        free = std::exchange(chunk->next, nullptr);
        return chunk;
    }
    return new_chunk(bytes);
}

RecordArena::Chunk* RecordArena::new_chunk(std::size_t bytes) {
    void* memory = ::operator new (bytes, std::align_val_t{alignof(Chunk)});  // I3
    bytes_held_ += bytes;
    auto* chunk = ::new (memory) Chunk{nullptr, 0, bytes};
    chunk->poison_payload();
    return chunk;
}

void RecordArena::reserve(std::size_t bytes) noexcept {
    try {
        while (bytes_held_ < bytes) put_free(new_chunk(chunk_bytes_));
    } catch (const std::bad_alloc&) {  // the allocation that needs the memory will throw
    }
}

void RecordArena::put_free(Chunk* chunk) {
    chunk->poison_payload();
    Chunk*& free = free_[chunk->size_class()];
    chunk->next = free;
    free = chunk;
}

void RecordArena::release_free() {
    for (Chunk*& list : free_) {
        release(list);
        list = nullptr;
    }
}

void RecordArena::release(Chunk* list) {
    while (list != nullptr) {
        Chunk* chunk = list;
        list = chunk->next;
        bytes_held_ -= chunk->bytes;
        unpoison(reinterpret_cast<void*>(chunk->payload()), chunk->bytes - sizeof(Chunk));
        ::operator delete (chunk, std::align_val_t{alignof(Chunk)});
    }
}

}  // namespace refrain::base
