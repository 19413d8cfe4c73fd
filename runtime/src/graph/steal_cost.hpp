#pragma once

#include "base/atomic.hpp"
#include "base/clock.hpp"
#include "graph/sharing_policy.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace refrain::graph {

/// The latency of one worker's steals: the second smallest of every eight measurements.
///
/// Interrupts and contended cache lines inflate single measurements, hence a low order statistic;
/// the smallest may come from a line that a core has fetched by itself, hence the second.
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
    /// Whether it has one measurement since its last answer.
    [[nodiscard]] bool has_one() const { return count_ == 1; }

  private:
    static constexpr std::uint64_t unset = ~std::uint64_t{0};
    std::uint64_t smallest_ = unset;
    std::uint64_t second_ = unset;
    std::uint32_t count_ = 0;
};

/// The latency of one worker's steals, in ticks: the shortest of the first seven, then what the probe
/// says. From then on it falls at once and rises slowly: interrupts and contention only ever add, and
/// a contended steal is no reason to steal less.
///
/// An estimate that is too low corrects itself, since it leads to steals, which are measured. One that
/// is too high would last: it ends sharing, and with it the measurements.
///
/// Two-socket machines: each worker has its own.
///
///   all members    its worker only
class StealLatency {
  public:
    /// A measurement above `longest` was interrupted, and counts as that: a worker must not rest for
    /// milliseconds.
    explicit StealLatency(std::uint64_t assumed, std::uint64_t longest = ~std::uint64_t{0})
        : ticks_(assumed), longest_(longest) {}
    [[nodiscard]] std::uint64_t ticks() const { return ticks_; }
    void assume(std::uint64_t ticks) { ticks_ = ticks; }
    /// Adds a measurement; returns whether ticks() has changed.
    [[nodiscard]] bool add(std::uint64_t measured) {
        const std::uint64_t before = ticks_;
        measured = std::clamp<std::uint64_t>(measured, 1, longest_);
        const std::uint64_t answer = probe_.add(measured);
        if (!is_known_)
            ticks_ = answer != 0        ? answer
                     : probe_.has_one() ? measured
                                        : std::min(ticks_, measured);
        else if (answer != 0)
            ticks_ = std::min(answer, ticks_ + ticks_ / rise_divisor + 1);
        is_known_ = is_known_ || answer != 0;
        return ticks_ != before;
    }

  private:
    static constexpr std::uint64_t rise_divisor = 32;
    StealProbe probe_;
    std::uint64_t ticks_;
    std::uint64_t longest_;
    bool is_known_ = false;  // the probe has answered
};

/// The latency of steals as the launching thread knows it, which seldom steals: that of a worker
/// that has measured it.
///
/// A measurement spans a steal, from the first look at the queue up to the moment when the thief knows
/// the cost of the stolen item: cache lines from the other core, above all those of the queue. It does not
/// count where nothing has to come, since the owner has pushed nothing since the thief's last steal
/// (Worker::sees_anew). Cores are 60 to 400 ns apart, and virtual machines move theirs; the estimate follows.
///
/// Threads:     any. Writes are estimates, and rare; readers need no ordering.
class StealCost {
  public:
    static constexpr std::uint64_t steal_ns_max = 1000;     // a longer steal was interrupted
    static constexpr std::uint64_t steal_ns_assumed = 150;  // before the first

    /// Takes the estimate (not 0) of some worker over, if it differs by more than a quarter: the
    /// line stays shared.
    void revise(std::uint64_t worker_ticks) {
        const std::uint64_t old = ticks_.load(std::memory_order_relaxed);  // an estimate
        const std::uint64_t revised = std::min(worker_ticks, longest());
        if (std::max(old, revised) - std::min(old, revised) > old / 4)
            ticks_.store(static_cast<std::uint32_t>(revised), std::memory_order_relaxed);
    }
    [[nodiscard]] bool is_measured() const { return ticks_.load(std::memory_order_relaxed) != 0; }
    [[nodiscard]] std::uint64_t ticks() const {
        const std::uint64_t measured = ticks_.load(std::memory_order_relaxed);
        return measured != 0 ? measured : assumed_ticks_;
    }
    [[nodiscard]] SharingLimits limits() const { return SharingLimits::of(ticks()); }
    /// What the longest steal takes that is believed, in ticks.
    [[nodiscard]] std::uint64_t longest() const { return steal_ticks_max_; }

  private:
    base::Atomic<std::uint32_t> ticks_{0};  // 0: no worker has stolen
    const std::uint64_t steal_ticks_max_ = base::ns_to_ticks(steal_ns_max);
    const std::uint64_t assumed_ticks_ = base::ns_to_ticks(steal_ns_assumed);
};

}  // namespace refrain::graph
