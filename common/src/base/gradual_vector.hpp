#pragma once

#include "base/assertion.hpp"
#include "base/pages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace refrain::base {

/// A vector that grows without copying: elements never move, and no push takes long.
///
///     elements 0 to 63, 64 to 127, 128 to 255, 256 to 511, ...   each range is a block of its own
///
/// Complexity:  emplace_back O(1), also in the worst case, but for asking the system for a block,
///              whose pages are asked for part by part; operator[] O(1).
/// Threads:     those of a std::vector.
template <class T>
class GradualVector {
  public:
    GradualVector() noexcept = default;
    GradualVector(const GradualVector&) = delete;
    GradualVector& operator=(const GradualVector&) = delete;
    GradualVector(GradualVector&& other) noexcept { swap(other); }
    GradualVector& operator=(GradualVector&& other) noexcept {
        GradualVector moved(std::move(other));
        swap(moved);
        return *this;
    }
    ~GradualVector() {
        for (std::size_t i = 0; i < size_; ++i) std::destroy_at(&(*this)[i]);
        for (T* block : blocks_)
            if (block != nullptr) ::operator delete (block, std::align_val_t{alignof(T)});
    }
    void swap(GradualVector& other) noexcept {
        std::swap(blocks_, other.blocks_);
        std::swap(size_, other.size_);
        std::swap(ready_, other.ready_);
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return *address(i); }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return *address(i); }
    [[nodiscard]] T& back() noexcept { return *address(size_ - 1); }

    template <class... Arguments>
    T& emplace_back(Arguments&&... arguments) {
        if (size_ == ready_) [[unlikely]]
            make_ready();
        T* made =
            ::new (static_cast<void*>(address(size_))) T(std::forward<Arguments>(arguments)...);
        ++size_;
        return *made;
    }
    /// Adds default elements until there are `size`.
    void grow_to(std::size_t size) {
        while (size_ < size) emplace_back();
    }
    /// Memory of the elements; pages that hold none do not count.
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }

  private:
    static constexpr std::size_t first_block = 64;
    static constexpr std::size_t part_bytes = std::size_t{64} << 10;

    /// Block 0 has first_block elements, block k > 0 the first_block << (k - 1) from that number on.
    [[nodiscard]] static std::size_t block_of(std::size_t i) noexcept {
        return static_cast<std::size_t>(std::bit_width(i / first_block));
    }
    [[nodiscard]] static std::size_t begin_of(std::size_t block) noexcept {
        return block == 0 ? 0 : first_block / 2 << block;
    }
    [[nodiscard]] T* address(std::size_t i) const noexcept {
        const std::size_t block = block_of(i);
        return blocks_[block] + (i - begin_of(block));
    }
    [[nodiscard]] static std::size_t count_of(std::size_t block) noexcept {
        return block == 0 ? first_block : begin_of(block);
    }
    [[nodiscard]] static T* allocate(std::size_t block) {
        return static_cast<T*>(
            ::operator new (count_of(block) * sizeof(T), std::align_val_t{alignof(T)}));
    }
    /// Memory for the elements from size_ on: a block, or the next part of one, with its pages.
    void make_ready() {
        constexpr std::size_t part = std::max<std::size_t>(first_block, part_bytes / sizeof(T));
        const std::size_t block = block_of(size_);
        if (blocks_[block] == nullptr) blocks_[block] = allocate(block);
        const std::size_t end = begin_of(block) + count_of(block);
        ready_ = std::min(end, size_ + part);
        fetch_pages(address(size_), (ready_ - size_) * sizeof(T));
    }

    std::array<T*, 48> blocks_{};
    std::size_t size_ = 0;
    std::size_t ready_ = 0;  // elements that have memory, constructed or not
};

}  // namespace refrain::base
