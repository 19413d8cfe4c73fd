#pragma once

#include "base/atomic.hpp"
#include "base/clock.hpp"
#include "graph/cost_estimate.hpp"
#include "graph/sharing_policy.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace refrain::graph {

/// The latency of one worker's steals: the second smallest of every eight measurements.
///
/// Interrupts and contended cache lines inflate single measurements, hence a low order statistic;
/// the smallest may come from a line that was cached already, hence the second.
///
///   all members    its worker only
class StealProbe {
  public:
    static constexpr std::uint32_t samples = 8;

    /// Adds a measurement. Returns the second smallest after every eighth, else 0.
    [[nodiscard]] std::uint64_t add(std::uint64_t ticks) {
        second_ = std::min(second_, std::max(smallest_, ticks));
        smallest_ = std::min(smallest_, ticks);
        if (++count_ < samples) return 0;
        count_ = 0;
        smallest_ = unset;
        return std::exchange(second_, unset);
    }

  private:
    static constexpr std::uint64_t unset = ~std::uint64_t{0};
    std::uint64_t smallest_ = unset;
    std::uint64_t second_ = unset;
    std::uint32_t count_ = 0;
};

/// Measured steal latency, and what follows from it for sharing (sharing_policy.hpp).
///
/// A measurement spans a steal up to the moment when the thief knows the cost of the stolen item:
/// several cache lines from the other core, one after the other. Cores are 60 to 250 ns apart, and
/// virtual machines move theirs; the estimate follows.
///
/// Running a point on another core costs several times the steal: its operation, its data, the
/// bundles it counts down, and the return of each line. The factors stand for that. Source:
/// measured with two workers on programs whose launches take 0.4 to 4 µs (runtime/docs/design.md,
/// D24).
///
/// Threads:     any. Writes are estimates, and rare; readers need no ordering.
class StealCost {
  public:
    static constexpr std::uint64_t steal_ns_max = 1000;  // a longer steal was interrupted

    /// Adds a measurement (not 0) from the probe of some worker.
    void revise(std::uint64_t ticks) {
        const std::uint32_t old = ticks_.load(std::memory_order_relaxed);  // an estimate
        const std::uint32_t revised =
            CostEstimate(old).after(std::min({ticks, steal_ticks_max_, rise_max(old)})).ticks();
        if (revised != old) ticks_.store(revised, std::memory_order_relaxed);
    }
    /// The latency of a steal; 0 until a worker has stolen eight items.
    [[nodiscard]] std::uint64_t ticks() const { return ticks_.load(std::memory_order_relaxed); }
    [[nodiscard]] SharingLimits limits() const { return SharingLimits::of(ticks(), ticks_per_us_); }

  private:
    /// No steal is believed at once: the estimate at most doubles.
    [[nodiscard]] static std::uint64_t rise_max(std::uint32_t old) {
        return old == 0 ? ~std::uint64_t{0} : CostEstimate::surprise_factor * std::uint64_t{old};
    }

    base::Atomic<std::uint32_t> ticks_{0};
    const std::uint64_t steal_ticks_max_ = base::ns_to_ticks(steal_ns_max);
    const std::uint64_t ticks_per_us_ = base::ns_to_ticks(1000);
};

}  // namespace refrain::graph
