#pragma once

#include "graph/cost_estimate.hpp"

#include <atomic>
#include <cstdint>

namespace refrain::graph {

/// Whether large partial results of reductions are made whole or by the chunk, by how much of the latest
/// ones tasks touched. One task that touches most elements does not decide for thousands that touch
/// few: by the chunk a dense result takes a few times as long, and whole a sparse one takes time and
/// memory that have no bound.
///
///     is_by_chunk, add   any thread; relaxed: a lost update delays a decision
class PartialDensity {
  public:
    /// How the next one is made. While most are dense, one in 16 to 2,048 is made by the chunk, too,
    /// and tells whether they still are: the rarer, the longer that has been so.
    [[nodiscard]] bool is_by_chunk() {
        const int balance = balance_.load(std::memory_order_relaxed);
        if (balance <= 0) return true;
        const std::uint32_t interval = 8U << static_cast<unsigned>(balance);
        return asked_.fetch_add(1, std::memory_order_relaxed) % interval == interval - 1;
    }
    /// One that was made by the chunk: whether most of it was touched.
    void add(bool is_dense) {
        const int balance = balance_.load(std::memory_order_relaxed);
        if (is_dense ? balance < balance_max : balance > -balance_max)
            balance_.store(balance + (is_dense ? 1 : -1), std::memory_order_relaxed);
    }

  private:
    static constexpr int balance_max = 8;

    std::atomic<int> balance_{0};  // of dense and sparse ones
    std::atomic<std::uint32_t> asked_{0};
};

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
    PartialDensity density;
};

}  // namespace refrain::graph
