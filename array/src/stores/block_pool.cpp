#include "stores/block_pool.hpp"

#include "base/pages.hpp"

#include <algorithm>
#include <cstdlib>

namespace refrain::array {

BlockPool::~BlockPool() {
    trim();
}

std::byte* BlockPool::allocate(std::size_t bytes, int size_class) noexcept {
    const std::size_t size = size_class >= 0 ? bytes_of_class(size_class) : (bytes + 63) / 64 * 64;
    if (size < bytes) return nullptr;
    void* block = base::allocate_pages(64, size);
    if (block == nullptr) {
        trim();
        block = base::allocate_pages(64, size);
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
