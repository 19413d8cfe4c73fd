#pragma once

#include "graph/cost_estimate.hpp"

#include <atomic>
#include <cstdint>

namespace refrain::graph {

/// The measured cost of a point, shared by the launches of one function, launch site and size class
/// (cost_table.hpp). Written only when a measurement deviates by more than a quarter, so that its
/// line stays shared between caches. A hint: it affects no result but the sign of a zero that
/// a reduction in any order does not touch, and of two measurements at a time one may be lost.
///
///   all members    any thread; relaxed, since nothing is published
struct alignas(64) TaskCost {
    [[nodiscard]] CostEstimate estimate() const {
        return CostEstimate::of_word(word.load(std::memory_order_relaxed));
    }
    /// Estimated ticks per point; 0 while unknown.
    [[nodiscard]] std::uint64_t ticks() const { return estimate().ticks(); }
    void measured(std::uint64_t ticks_per_point) {
        const CostEstimate old = estimate();
        const CostEstimate revised = old.after(ticks_per_point);
        if (!(revised == old)) word.store(revised.word(), std::memory_order_relaxed);
    }

    std::atomic<std::uint64_t> word{0};
    std::atomic<bool> reduces_densely{false};  // some point reduced into most of a large subset
};

}  // namespace refrain::graph
