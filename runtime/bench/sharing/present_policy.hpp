#pragma once

#include "graph/sharing_policy.hpp"
#include "graph/steal_cost.hpp"

#include "sharing/scenario.hpp"

namespace sharing {

/// The workers' policy, as the simulator drives it.
class PresentPolicy : public refrain::graph::SharingPolicy {
  public:
    struct Settings {};
    using Limits = refrain::graph::SharingLimits;
    using Latency = refrain::graph::StealLatency;
    static constexpr Ns steal_assumed = 150;

    PresentPolicy(const Settings&, unsigned) {}
    [[nodiscard]] bool participates() const { return true; }
    [[nodiscard]] static Limits limits_of(Ns steal) { return Limits::of(steal); }
    [[nodiscard]] bool publishes(Ns launch, bool lacks_searchers, const Limits& limits) {
        return SharingPolicy::publishes(launch, lacks_searchers, unpublished_launches_max, limits);
    }
    void stole(Ns, std::uint64_t left, std::uint32_t idle, bool from_busy_worker, const Limits&) {
        SharingPolicy::stole(left, idle, from_busy_worker);
    }
    [[nodiscard]] static std::uint32_t pauses_before_steal() { return 0; }
};

}  // namespace sharing
