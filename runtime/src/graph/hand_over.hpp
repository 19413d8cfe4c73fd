#pragma once

#include "base/atomic.hpp"
#include "base/clock.hpp"
#include "graph/cost_estimate.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace refrain::graph {

/// What it took one worker to take work over from another: the second least of every eight times.
/// Interruptions, and lines that are far for another reason, make it longer; the least may be of a
/// line that had come already.
class HandOverProbe {
  public:
    static constexpr std::uint32_t times = 8;

    /// Returns the second least after the eighth time, else 0.
    [[nodiscard]] std::uint64_t took(std::uint64_t ticks) {
        second_ = std::min(second_, std::max(least_, ticks));
        least_ = std::min(least_, ticks);
        if (++times_ < times) return 0;
        times_ = 0;
        least_ = never;
        return std::exchange(second_, never);
    }

  private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    std::uint64_t least_ = never;
    std::uint64_t second_ = never;
    std::uint32_t times_ = 0;
};

/// What it takes to take work over from another worker, and what follows from it: which work is
/// worth it. Measured whenever a worker steals, until it knows what the stolen item costs: several
/// lines from the other core, one after the other. So it follows the machine, whose cores may be
/// some 60 ns apart or some 250, and a virtual one that moves its cores.
///
/// Running a point elsewhere takes several times as long as stealing it: its operation, its data,
/// the bundles it counts down, and the way back of each line. That is what the factors stand for;
/// they were found with two workers, and programs whose launches take 0.4 to 4 µs
/// (docs/architecture.md, D24).
///
///   all members    any thread; what is written is an estimate, and seldom
class HandOver {
  public:
    static constexpr std::uint64_t far_ns = 100;        // a steal; below this, cores are near
    static constexpr std::uint64_t farthest_ns = 1000;  // beyond this, it was not the distance
    static constexpr std::uint64_t worth_factor = 6;
    static constexpr std::uint64_t split_factor = 16;
    static constexpr std::uint64_t split_near_ns = 1000;

    /// It took so many ticks (not 0) as the probe of a worker says.
    void revise(std::uint64_t ticks) {
        const std::uint32_t old = ticks_.load(std::memory_order_relaxed);  // an estimate
        const std::uint32_t revised = revised_cost(old, std::min(ticks, farthest_));
        if (revised != old) ticks_.store(revised, std::memory_order_relaxed);
    }
    /// 0 as long as nobody has taken eight items.
    [[nodiscard]] std::uint64_t ticks() const { return ticks_.load(std::memory_order_relaxed); }
    /// A launch whose points together take fewer ticks is better run where it is. Between near
    /// cores, and as long as nobody has taken anything, there is no such launch: 0.
    [[nodiscard]] std::uint64_t worth() const {
        const std::uint64_t estimate = ticks();  // may change meanwhile
        return estimate < far_ ? 0 : worth_factor * estimate;
    }
    /// Points that together take more ticks are shared out: a microsecond if cores are near.
    [[nodiscard]] std::uint64_t split() const {
        return std::max(split_near_, split_factor * ticks());
    }

  private:
    base::Atomic<std::uint32_t> ticks_{0};
    const std::uint64_t far_ = base::ns_to_ticks(far_ns);
    const std::uint64_t farthest_ = base::ns_to_ticks(farthest_ns);
    const std::uint64_t split_near_ = base::ns_to_ticks(split_near_ns);
};

}  // namespace refrain::graph
