#pragma once

#include "runtime/operation.hpp"

#include <cstdint>
#include <vector>

namespace refrain::runtime {

/// The operations from the oldest unretired to the newest launched one, by number. Grows when
/// automatic tracing holds many back.
///
/// Threads:  the launching thread only.
class OperationRing {
  public:
    /// `capacity` is a power of two.
    explicit OperationRing(std::size_t capacity) : slots_(capacity), mask_(capacity - 1) {}

    [[nodiscard]] Operation& operator[](graph::OperationNumber number) const {
        return *slots_[number & mask_];
    }
    /// `oldest` is the oldest number in use. Errors: std::bad_alloc; what the operation owns is then
    /// destroyed.
    void push(Operation& operation, graph::OperationNumber oldest) {
        if (operation.number - oldest > mask_) [[unlikely]]
            grow(oldest, operation);
        slots_[operation.number & mask_] = &operation;
    }

  private:
    [[gnu::noinline]] void grow(graph::OperationNumber oldest, Operation& newest) {
        try {
            std::vector<Operation*> larger(2 * slots_.size());
            for (graph::OperationNumber number = oldest; number < newest.number; ++number)
                larger[number & (larger.size() - 1)] = slots_[number & mask_];
            slots_ = std::move(larger);
            mask_ = slots_.size() - 1;
        } catch (...) {
            newest.release_owned();
            throw;
        }
    }

    std::vector<Operation*> slots_;
    std::uint64_t mask_;
};

}  // namespace refrain::runtime
