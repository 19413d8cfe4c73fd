#pragma once

#include "graph/sharing_policy.hpp"
#include "graph/steal_cost.hpp"

#include <algorithm>
#include <utility>

#include "sharing/scenario.hpp"

namespace sharing {

/// Decides the same all the time. The best of these for a scenario, found by search, is what a
/// policy that knows nothing beforehand is compared with.
class FixedPolicy {
  public:
    struct Settings {
        unsigned workers = 1;      // the others sleep
        std::uint32_t hold = 1;    // launches before points are published
        Ns split = 0;              // groups that take longer are split
        std::uint32_t pauses = 0;  // before each steal
    };
    using Latency = refrain::graph::StealLatency;
    static constexpr Ns steal_assumed = 150;
    struct Limits {
        Ns split;
    };

    FixedPolicy(const Settings& settings, unsigned worker) : settings_(settings), worker_(worker) {}
    [[nodiscard]] bool participates() const { return worker_ < settings_.workers; }
    [[nodiscard]] Limits limits_of(Ns) const { return {settings_.split}; }
    [[nodiscard]] bool publishes(Ns, bool, const Limits&) { return ++held_ >= settings_.hold; }
    void helps() {}
    void published() { held_ = 0; }
    [[nodiscard]] bool measures() { return --until_measured_ == 0; }
    void measured() { until_measured_ = 16; }
    [[nodiscard]] std::uint32_t pauses_before_steal() const { return settings_.pauses; }
    void stole(Ns, std::uint64_t, std::uint32_t, bool, const Limits&) {}
    [[nodiscard]] static std::uint64_t steals(std::uint64_t, Ns, std::uint64_t, const Limits&) {
        return 1;
    }
    [[nodiscard]] static bool recalls(Ns, const Limits&) { return false; }
    void missed(const Limits&) {}
    void nobody_took_it() {}
    [[nodiscard]] std::uint32_t next_search_pauses() {
        return std::exchange(search_pauses_, std::min(16U, 2 * search_pauses_));
    }
    void found_work() { search_pauses_ = 1; }
    [[nodiscard]] static std::uint32_t share_of(std::uint32_t points, std::uint32_t) {
        return points;
    }
    [[nodiscard]] static bool is_long(std::uint32_t points, Ns point, bool, const Limits& limits) {
        return points > 1 && (point == 0 || point * points > limits.split);
    }
    [[nodiscard]] static bool before_item(Ns, const Limits&) { return false; }
    [[nodiscard]] bool backing_off() const { return false; }
    [[nodiscard]] bool is_resting() const { return false; }
    [[nodiscard]] Ns next_wait(Ns, const refrain::graph::LauncherSeen&, std::size_t,
                               const Limits&) {
        return 0;
    }

  private:
    Settings settings_;
    unsigned worker_;
    std::uint32_t held_ = 0;
    std::uint32_t until_measured_ = 1;
    std::uint32_t search_pauses_ = 1;
};

}  // namespace sharing
