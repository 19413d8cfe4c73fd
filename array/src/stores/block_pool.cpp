#include "stores/block_pool.hpp"

#include <algorithm>
#include <cstdlib>

namespace refrain::array {

BlockPool::~BlockPool() {
    trim();
}

std::byte* BlockPool::allocate(std::size_t bytes, int size_class) noexcept {
    const std::size_t size = size_class >= 0 ? bytes_of_class(size_class) : (bytes + 63) / 64 * 64;
    void* block = nullptr;
    if (size < bytes || posix_memalign(&block, 64, size) != 0) {
        trim();
        if (size < bytes || posix_memalign(&block, 64, size) != 0) return nullptr;
    }
    return static_cast<std::byte*>(block);
}

void BlockPool::free_anywhere(std::byte* block) noexcept {
    std::free(block);
}

void BlockPool::trim() noexcept {
    for (Free*& first : free_) {
        while (first != nullptr) {
            Free* next = first->next;
            std::free(first);
            first = next;
        }
    }
    kept_bytes_ = 0;
}

}  // namespace refrain::array
