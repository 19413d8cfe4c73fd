#pragma once

#include "runtime/failure.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::runtime {

class Core;
class FuturePool;

/// The values that one launch returns, and whether they are there. The values follow the struct in
/// memory.
///
/// Workers write values, and read those of launches that they run after (the graph's edges order
/// both). Everything else is the launching thread's.
struct FutureState {
    static constexpr std::size_t value_align = 64;

    Core* core = nullptr;          // null once the runtime is gone
    FuturePool* pool = nullptr;    // null once the runtime is gone
    std::uint64_t operation = 0;   // 0: not launched
    std::uint32_t references = 0;  // handles, and launches that have not retired
    bool retired = false;          // its launch has: values and failure are final
    Failure* failure = nullptr;    // if retired
    std::size_t value_bytes = 0;
    std::size_t count = 0;
    std::size_t block_bytes = 0;
    std::size_t live_index = 0;  // in the pool's list

    [[nodiscard]] std::byte* values();
};

inline constexpr std::size_t future_header_bytes =
    (sizeof(FutureState) + FutureState::value_align - 1) & ~(FutureState::value_align - 1);

inline std::byte* FutureState::values() {
    return reinterpret_cast<std::byte*>(this) + future_header_bytes;
}

/// Where futures come from; small ones are reused.
///
/// Threads:  the launching thread only.
class FuturePool {
  public:
    FuturePool() = default;
    /// Futures that are still held by the program live on by themselves.
    ~FuturePool();
    FuturePool(const FuturePool&) = delete;
    FuturePool& operator=(const FuturePool&) = delete;
    FuturePool(FuturePool&&) = delete;
    FuturePool& operator=(FuturePool&&) = delete;

    [[nodiscard]] FutureState* make(Core& core, std::size_t value_bytes, std::size_t count);
    void recycle(FutureState* future) noexcept;

  private:
    static constexpr std::size_t small_bytes = future_header_bytes + 64;
    static constexpr std::size_t free_max = 4096;
    std::vector<FutureState*> live_;
    std::vector<void*> free_;  // blocks of small_bytes
};

}  // namespace refrain::runtime
