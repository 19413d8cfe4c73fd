/// The measured cost of one kind of task.
#pragma once

#include <atomic>
#include <cstdint>

namespace refrain::graph {

/// Estimated ticks per point; 0 while unknown. Shared by all launches of one kind of task. Written
/// only when a measurement deviates by more than a quarter, so that its line stays shared between
/// caches. A hint: no value affects results.
struct alignas(64) TaskCost {
    std::atomic<std::uint32_t> ticks{0};
};

}  // namespace refrain::graph
