#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace refrain::analysis {

/// Adds up what the containers that share it hold. Costs nothing where nothing is allocated.
///
/// Invariant:   `bytes` outlives the containers; null counts nothing.
template <class T>
class CountingAllocator {
  public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;

    explicit CountingAllocator(std::size_t* bytes) noexcept : bytes_(bytes) {}
    template <class U>
    CountingAllocator(const CountingAllocator<U>& other) noexcept : bytes_(other.counter()) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        T* memory = std::allocator<T>().allocate(count);
        if (bytes_ != nullptr) *bytes_ += count * sizeof(T);
        return memory;
    }
    void deallocate(T* memory, std::size_t count) noexcept {
        if (bytes_ != nullptr) *bytes_ -= count * sizeof(T);
        std::allocator<T>().deallocate(memory, count);
    }
    [[nodiscard]] std::size_t* counter() const noexcept { return bytes_; }
    friend bool operator==(const CountingAllocator&, const CountingAllocator&) = default;

  private:
    std::size_t* bytes_;
};

template <class T>
using CountedVector = std::vector<T, CountingAllocator<T>>;

/// Empties the vector and gives its memory back.
template <class T>
void free_all(CountedVector<T>& vector) {
    CountedVector<T>(vector.get_allocator()).swap(vector);
}

}  // namespace refrain::analysis
