#pragma once

#include "graph/operation_number.hpp"
#include "regions/failure.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::regions {

class FuturePool;

/// The values that one launch returns, one per point, and what is known of the launch. The values
/// follow the struct in memory:
///
///     | FutureState | padding to 64 bytes | value of point 0 | value of point 1 | ... |
///
/// Threads:  workers write values, and read those of launches that their task depends on; the edges of
///           the task graph order both. Everything else belongs to the launching thread.
struct FutureState {
    static constexpr std::size_t value_align = 64;

    FuturePool* pool = nullptr;            // null once the runtime is gone
    graph::OperationNumber operation = 0;  // 0: not launched
    std::uint32_t references = 0;          // handles, and launches that have not retired
    bool retired = false;                  // its launch has retired: values and failure are final
    Failure* failure = nullptr;            // set when it retires, if it failed
    std::size_t value_bytes = 0;
    std::size_t count = 0;
    std::size_t block_bytes = 0;
    std::size_t live_index = 0;  // in the pool's list

    [[nodiscard]] std::byte* values();
    [[nodiscard]] std::byte* value(std::size_t index) { return values() + index * value_bytes; }
};

inline constexpr std::size_t future_header_bytes =
    (sizeof(FutureState) + FutureState::value_align - 1) & ~(FutureState::value_align - 1);

inline std::byte* FutureState::values() {
    return reinterpret_cast<std::byte*>(this) + future_header_bytes;
}

/// Whoever launched the operations behind futures, and can wait for them: the runtime.
class FutureResolver {
  public:
    /// Returns the value of point number `index` once the launch has run.
    /// Errors: TaskError if the launch failed or was skipped.
    [[nodiscard]] virtual const void* wait_for_value(FutureState& future, std::size_t index) = 0;
    [[nodiscard]] virtual bool is_ready(FutureState& future) = 0;

  protected:
    FutureResolver() = default;
    FutureResolver(const FutureResolver&) = default;
    FutureResolver& operator=(const FutureResolver&) = default;
    ~FutureResolver() = default;
};

/// Allocates the futures of one runtime, and reuses small blocks.
///
/// Threads:  the launching thread only.
class FuturePool {
  public:
    explicit FuturePool(FutureResolver& resolver) : resolver_(resolver) {}
    /// Futures that the program still holds stay valid by themselves: each keeps its value, or a copy
    /// of its failure. One whose launch has not retired has failed.
    ~FuturePool();
    FuturePool(const FuturePool&) = delete;
    FuturePool& operator=(const FuturePool&) = delete;
    FuturePool(FuturePool&&) = delete;
    FuturePool& operator=(FuturePool&&) = delete;

    /// A future of `count` values. The caller holds the one reference.
    [[nodiscard]] FutureState* make(std::size_t value_bytes, std::size_t count);
    void recycle(FutureState* future) noexcept;
    [[nodiscard]] FutureResolver& resolver() const { return resolver_; }

  private:
    static constexpr std::size_t small_bytes = future_header_bytes + 64;
    static constexpr std::size_t free_max = 4096;
    FutureResolver& resolver_;
    std::vector<FutureState*> live_;
    std::vector<void*> free_;  // blocks of small_bytes
};

}  // namespace refrain::regions
