/// Memory of stores that no task has used yet: blocks of 64-byte alignment, kept by size after use.
///
/// Hot path: take() and give() of a small block are a pop and a push of a list.
/// Threads: the launching thread; free_anywhere() any.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace refrain::array {

class BlockPool {
  public:
    BlockPool() = default;
    ~BlockPool();
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    /// Null if there is no memory.
    [[nodiscard]] std::byte* take(std::size_t bytes) noexcept {
        const int size_class = class_of(bytes);
        if (size_class >= 0) {
            Free*& first = free_[static_cast<std::size_t>(size_class)];
            if (first != nullptr) {
                Free* block = first;
                first = block->next;
                kept_bytes_ -= bytes_of_class(size_class);
                return reinterpret_cast<std::byte*>(block);
            }
        }
        return allocate(bytes, size_class);
    }
    void give(std::byte* block, std::size_t bytes) noexcept {
        const int size_class = class_of(bytes);
        if (size_class < 0 || kept_bytes_ > kept_bytes_max) return free_anywhere(block);
        Free* item = reinterpret_cast<Free*>(block);
        item->next = free_[static_cast<std::size_t>(size_class)];
        free_[static_cast<std::size_t>(size_class)] = item;
        kept_bytes_ += bytes_of_class(size_class);
    }
    /// Frees a block for good.
    static void free_anywhere(std::byte* block) noexcept;
    /// Frees the blocks that nobody uses.
    void trim() noexcept;

    [[nodiscard]] std::size_t kept_bytes() const noexcept { return kept_bytes_; }

    // Classes: four per power of two from 64 bytes on, up to 1 MiB.
    static constexpr std::size_t pooled_bytes_max = std::size_t{1} << 20;
    static constexpr std::size_t kept_bytes_max = std::size_t{16} << 20;
    [[nodiscard]] static int class_of(std::size_t bytes) noexcept {
        if (bytes <= 64) return 0;
        if (bytes > pooled_bytes_max) return -1;
        const int log = 63 - __builtin_clzll(bytes - 1);  // 2^log < bytes <= 2^(log+1), log >= 6
        const auto quarter = static_cast<int>((bytes - 1) >> (log - 2)) & 3;
        return (log - 6) * 4 + quarter + 1;
    }
    [[nodiscard]] static std::size_t bytes_of_class(int size_class) noexcept {
        if (size_class == 0) return 64;
        const int log = (size_class - 1) / 4 + 6;
        const auto quarters = static_cast<std::size_t>((size_class - 1) % 4 + 5);
        return quarters << (log - 2);
    }

  private:
    struct Free {
        Free* next;
    };
    [[nodiscard]] std::byte* allocate(std::size_t bytes, int size_class) noexcept;

    std::array<Free*, 64> free_{};
    std::size_t kept_bytes_ = 0;
};

}  // namespace refrain::array
