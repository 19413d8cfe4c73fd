#pragma once

#include "graph/cost_estimate.hpp"
#include "graph/sharing_policy.hpp"
#include "graph/steal_cost.hpp"

#include <algorithm>
#include <cstdint>

#include "sharing/scenario.hpp"

namespace sharing {

/// What the measured latency of a steal says about sharing, in ticks.
///
///     a steal takes 250 ns  ->  launches of 1.5 µs and more are worth stealing,
///                               groups of points of more than 4 µs are split
///     a steal takes 45 ns   ->  every launch is worth stealing, groups of more than 1 µs are split
struct FormerLimits {
    std::uint64_t tiny;        // a shorter launch may stay unpublished for a while
    std::uint64_t profitable;  // a shorter launch runs faster where it is; 0: none does
    std::uint64_t split;       // a group of points that takes longer is split
    std::uint64_t wait_min;    // the first wait of a worker that backs off
    std::uint64_t wait_max;    // its longest

    static constexpr std::uint64_t near_ns_max = 100;  // cores are near if a steal takes less
    static constexpr std::uint64_t profit_factor = 6;
    static constexpr std::uint64_t split_factor = 16;

    /// `steal`: in ticks; 0: none was measured yet.
    [[nodiscard]] static constexpr FormerLimits of(std::uint64_t steal,
                                                   std::uint64_t ticks_per_us) {
        const bool is_near = steal < near_ns_max * ticks_per_us / 1000;
        return {.tiny = 400 * ticks_per_us / 1000,
                .profitable = is_near ? 0 : profit_factor * steal,
                .split = std::max(ticks_per_us, split_factor * steal),
                .wait_min = 2 * ticks_per_us,
                .wait_max = 64 * ticks_per_us};
    }
};

/// The rule that the workers followed before: thresholds at fixed multiples of the latency of a
/// steal, which all workers share, and waits of 2 to 64 µs.
class FormerRule {
  public:
    static constexpr std::uint32_t unpublished_launches_max = 16;
    static constexpr std::uint32_t measure_interval = 16;  // groups between two measurements
    static constexpr std::uint32_t search_pauses_max = 16;
    static constexpr std::uint32_t unprofitable_items_max = 8;  // in a row

    [[nodiscard]] static constexpr bool is_tiny(std::uint64_t launch_ticks,
                                                const FormerLimits& limits) {
        return launch_ticks != 0 && launch_ticks < limits.tiny;
    }
    [[nodiscard]] static constexpr std::uint32_t share_of(std::uint32_t points, std::uint32_t) {
        return points;
    }
    /// Whether `points` of `point_ticks` each (0: unknown) are split where others may want some.
    [[nodiscard]] static constexpr bool is_long(std::uint32_t points, std::uint64_t point_ticks,
                                                bool, const FormerLimits& limits) {
        return points > 1 && (point_ticks == 0 || point_ticks * points > limits.split);
    }

    /// Whether the points that are ready are published after a launch of `launch_ticks` (0:
    /// unknown).
    [[nodiscard]] bool publishes(std::uint64_t launch_ticks, bool lacks_searchers,
                                 std::uint32_t launches_max, const FormerLimits& limits) {
        ++unpublished_launches_;
        return unpublished_launches_ >= launches_max || !is_tiny(launch_ticks, limits) ||
               lacks_searchers;
    }
    void helps() {}
    void published() { unpublished_launches_ = 0; }

    /// Whether the next group of points is measured.
    [[nodiscard]] bool measures() { return --items_until_measured_ == 0; }
    void measured() { items_until_measured_ = measure_interval; }

    /// Before a steal from a worker that is running.
    [[nodiscard]] std::uint32_t pauses_before_steal() const { return steal_pauses_; }
    /// An item of a launch that takes `launch_ticks` in all (0: unknown). Contention with the victim
    /// costs more than tiny work gains.
    void stole(std::uint64_t launch_ticks, const FormerLimits& limits) {
        if (!is_tiny(launch_ticks, limits))
            steal_pauses_ = 0;
        else if (steal_pauses_ < 1024)
            steal_pauses_ = std::max(16U, 2 * steal_pauses_);
    }

    /// How long a worker that has found nothing pauses before it looks again.
    [[nodiscard]] std::uint32_t next_search_pauses() {
        const std::uint32_t pauses = search_pauses_;
        if (search_pauses_ < search_pauses_max) search_pauses_ *= 2;
        return pauses;
    }
    void found_work() { search_pauses_ = 1; }

    /// The worker is about to run points of a launch that takes `launch_ticks` in all (0: unknown).
    void before_item(std::uint64_t launch_ticks, const FormerLimits& limits) {
        const bool is_profitable = launch_ticks == 0 || launch_ticks >= limits.profitable;
        unprofitable_items_ = is_profitable ? 0 : unprofitable_items_ + 1;
        if (is_profitable) wait_ = 0;
    }
    [[nodiscard]] bool backing_off() const { return unprofitable_items_ >= unprofitable_items_max; }

    /// How long the worker waits now, in ticks, given that it is backing off; 0 if it is needed.
    /// `launcher_items`: launches plus items run by the launching thread so far.
    [[nodiscard]] std::uint64_t next_wait(std::uint64_t now, std::uint64_t launcher_items,
                                          const FormerLimits& limits) {
        const bool launcher_is_busy =
            (launcher_items - launcher_items_) * limits.profitable >= now - asked_at_;
        asked_at_ = now;
        launcher_items_ = launcher_items;
        if (!launcher_is_busy) {
            unprofitable_items_ = 0;
            wait_ = 0;
            return 0;
        }
        wait_ = wait_ == 0 ? limits.wait_min : std::min(2 * wait_, limits.wait_max);
        return wait_;
    }

  private:
    std::uint32_t unpublished_launches_ = 0;
    std::uint32_t items_until_measured_ = 1;
    std::uint32_t search_pauses_ = 1;
    std::uint32_t steal_pauses_ = 0;
    std::uint32_t unprofitable_items_ = 0;  // in a row
    std::uint64_t wait_ = 0;                // ticks
    std::uint64_t asked_at_ = 0;            // ticks
    std::uint64_t launcher_items_ = 0;
};

/// Its estimate of a steal's latency: at most doubled by every eighth steal, contended or not.
class FormerLatency {
  public:
    explicit FormerLatency(Ns assumed) : ticks_(assumed) {}
    [[nodiscard]] Ns ticks() const { return ticks_; }
    [[nodiscard]] bool add(Ns measured) {
        const Ns probe = probe_.add(measured);
        if (probe == 0) return false;
        const Ns believed = std::min({probe, Ns{1000}, ticks_ == 0 ? ~Ns{0} : 8 * ticks_});
        ticks_ = refrain::graph::CostEstimate(static_cast<std::uint32_t>(ticks_))
                     .after(believed)
                     .ticks();
        return true;
    }

  private:
    refrain::graph::StealProbe probe_;
    Ns ticks_;
};

/// The same, as the simulator drives a policy.
class FormerPolicy : public FormerRule {
  public:
    struct Settings {};
    using Limits = FormerLimits;
    using Latency = FormerLatency;
    static constexpr Ns steal_assumed = 0;
    static constexpr std::uint64_t ticks_per_us = 1000;

    FormerPolicy(const Settings&, unsigned) {}
    [[nodiscard]] bool participates() const { return true; }
    [[nodiscard]] static Limits limits_of(Ns steal) { return Limits::of(steal, ticks_per_us); }
    [[nodiscard]] bool publishes(Ns launch, bool lacks_searchers, const Limits& limits) {
        return FormerRule::publishes(launch, lacks_searchers, unpublished_launches_max, limits);
    }
    void stole(Ns launch, std::uint64_t, std::uint32_t, bool, const Limits& limits) {
        FormerRule::stole(launch, limits);
    }
    [[nodiscard]] bool before_item(Ns launch, const Limits& limits) {
        FormerRule::before_item(launch, limits);
        return false;
    }
    [[nodiscard]] static std::uint64_t steals(std::uint64_t, Ns, std::uint64_t, const Limits&) {
        return 1;
    }
    [[nodiscard]] static bool recalls(Ns, const Limits&) { return false; }
    void missed(const Limits&) {}
    void nobody_took_it() {}
    [[nodiscard]] bool is_resting() const { return false; }
    [[nodiscard]] Ns next_wait(Ns now, refrain::graph::LauncherSeen launcher, std::size_t,
                               const Limits& limits) {
        return FormerRule::next_wait(now, launcher.items, limits);
    }
};

}  // namespace sharing
