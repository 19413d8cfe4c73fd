/// An array whose length is fixed when it is made. Up to `inside` elements need no allocation.
///
///     Few<TaskView, 8> views(3);      three views, made without arguments
///
/// Invariants: neither moves nor grows. Threads: none of its own.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace refrain::array {

template <class T, std::size_t inside>
class Few {
  public:
    explicit Few(std::size_t count) : count_(count) {
        if (count > inside) many_ = std::make_unique<std::byte[]>(count * sizeof(T));
        first_ = reinterpret_cast<T*>(many_ != nullptr ? many_.get() : room_.data());
        std::uninitialized_value_construct_n(first_, count);
    }
    ~Few() { std::destroy_n(first_, count_); }
    Few(const Few&) = delete;
    Few& operator=(const Few&) = delete;
    Few(Few&&) = delete;
    Few& operator=(Few&&) = delete;

    [[nodiscard]] T& operator[](std::size_t i) noexcept { return first_[i]; }
    [[nodiscard]] std::span<T> all() noexcept { return {first_, count_}; }

  private:
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    std::size_t count_;
    T* first_;
    std::unique_ptr<std::byte[]> many_;
    alignas(T) std::array<std::byte, inside * sizeof(T)> room_;  // not initialised
};

}  // namespace refrain::array
