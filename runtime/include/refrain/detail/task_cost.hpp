/// What one kind of task was seen to cost.
#pragma once

#include <atomic>
#include <cstdint>

namespace refrain::graph {

/// Ticks per point, 0 while unknown. Shared by all launches of one kind of task; written only when
/// the estimate moves by more than a quarter, so that its line stays readable in every cache. A
/// hint: any value is right.
struct alignas(64) TaskCost {
    std::atomic<std::uint32_t> ticks{0};
};

}  // namespace refrain::graph
