#include "sharing/comparison.hpp"

namespace sharing {

Best best_fixed(const Scenario& scenario) {
    bool has_groups = false;
    for (const Launch& launch : scenario.launches) has_groups |= launch.points > 1;
    Best best;
    const auto consider = [&](const FixedPolicy::Settings& settings) {
        const Outcome outcome = simulate<FixedPolicy>(scenario, settings);
        if (best.outcome.ns == 0 || outcome.ns < best.outcome.ns) best = {settings, outcome};
    };
    std::vector<unsigned> counts{1};
    for (unsigned count = 2; count < scenario.machine.workers; count *= 2) counts.push_back(count);
    if (scenario.machine.workers > 1) counts.push_back(scenario.machine.workers);
    for (const unsigned workers : counts)
        for (const Ns split : {Ns{400}, Ns{1'500}, Ns{6'000}, Ns{1} << 40}) {
            consider({workers, 1, split, 0});
            if (workers > 1) consider({workers, 16, split, 0});
            if (workers > 1) consider({workers, 1, split, 64});
            if (!has_groups) break;
        }
    return best;
}

}  // namespace sharing
