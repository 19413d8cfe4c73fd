#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "sharing/fixed_policy.hpp"
#include "sharing/former_policy.hpp"
#include "sharing/present_policy.hpp"
#include "sharing/simulator.hpp"

namespace sharing {

template <class Policy>
[[nodiscard]] Outcome simulate(const Scenario& scenario,
                               const typename Policy::Settings& settings = {}) {
    return Simulator<Policy>(scenario, settings).run();
}

struct Best {
    FixedPolicy::Settings settings;
    Outcome outcome;
};
/// The fixed policy that is fastest for the scenario, found by search.
[[nodiscard]] Best best_fixed(const Scenario& scenario);

/// The worst ratio of each family of scenarios.
class Summary {
  public:
    struct Worst {
        int count = 0;  // scenarios
        int above = 0;  // the aim
        double ratio = 0;
        std::string name;
    };
    void add(const Scenario& scenario, double ratio, double aim) {
        Worst& worst = worst_[scenario.family];
        ++worst.count;
        if (ratio > aim) ++worst.above;
        if (ratio > worst.ratio) worst = {worst.count, worst.above, ratio, scenario.name};
    }
    [[nodiscard]] const std::map<std::string, Worst>& worst() const { return worst_; }
    [[nodiscard]] double worst_ratio() const {
        double ratio = 0;
        for (const auto& [family, worst] : worst_) ratio = std::max(ratio, worst.ratio);
        return ratio;
    }

  private:
    std::map<std::string, Worst> worst_;
};

}  // namespace sharing
