#include "metg/results.hpp"

#include <cstdio>

#include "common/pingpong.hpp"
#include "common/results.hpp"
#include "common/spread.hpp"

namespace metg {

std::string Case::name() const {
    return std::string(graphs::name_of(pattern)) + "/width_" + std::to_string(width_per_thread) +
           "/" + way;
}

Results::Measured& Results::of(const Case& measured) {
    for (auto& entry : cases_)
        if (entry.first == measured) return entry.second;
    return cases_.emplace_back(measured, Measured{}).second;
}

void Results::add(const Case& measured, const graphs::Sweep& sweep) {
    Measured& into = of(measured);
    if (const auto metg = graphs::metg_ns(sweep.points)) into.metg_ns.push_back(*metg);
    if (sweep.traced_share) into.traced_share.push_back(*sweep.traced_share);
    into.sweeps.push_back(graphs::to_json(sweep));
}

void Results::print(const Config& config) const {
    const double distance = bench::quantile(pingpong_ns_, 0.5);
    std::printf("\n%d rounds on %u threads; cores are %s (a flag takes %.0f ns)\n", config.rounds,
                config.threads, distance < bench::near_ns ? "near" : "far", distance);
    std::printf("METG(50 %%) in ns, wall time x threads / tasks; every run was validated\n\n");
    std::printf("%-42s %10s %10s %10s %8s %7s\n", "pattern/columns per thread/tracing", "median",
                "25 %", "75 %", "traced", "rounds");
    for (const auto& entry : cases_) {
        const Measured& measured = entry.second;
        std::printf("%-42s ", entry.first.name().c_str());
        if (measured.metg_ns.empty()) {
            std::printf("%32s", "never half of the peak");
        } else {
            const bench::Spread spread = bench::spread_of(measured.metg_ns);
            std::printf("%10.4g %10.4g %10.4g", spread.median, spread.low, spread.high);
        }
        if (measured.traced_share.empty())
            std::printf(" %8s", "");
        else
            std::printf(" %6.1f %%", 100 * bench::quantile(measured.traced_share, 0.5));
        std::printf(" %7zu\n", measured.metg_ns.size());
    }
}

nlohmann::json Results::to_json(const Config& config) const {
    nlohmann::json out;
    out["machine"] = bench::machine_json();
    out["conditions"] = {{"rounds", config.rounds},     {"threads", config.threads},
                         {"steps", config.steps},       {"radix", config.radix},
                         {"ratio", config.sweep.ratio}, {"seconds", config.sweep.seconds}};
    out["pingpong_ns"] = bench::spread_json(pingpong_ns_);
    for (const auto& entry : cases_) {
        const Measured& measured = entry.second;
        nlohmann::json& result = out["results"][entry.first.name()];
        if (!measured.metg_ns.empty()) result["metg_ns"] = bench::spread_json(measured.metg_ns);
        if (!measured.traced_share.empty())
            result["traced_share"] = bench::spread_json(measured.traced_share);
        result["sweeps"] = measured.sweeps;
    }
    return out;
}

}  // namespace metg
