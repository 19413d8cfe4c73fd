#include "metg/results.hpp"

#include <cstdio>

#include "common/pingpong.hpp"
#include "common/results.hpp"
#include "common/spread.hpp"

namespace metg {
namespace {

constexpr double limit_near_ns = 400;
constexpr double limit_far_ns = 1000;

/// Limits apply to a stencil on two threads only.
bool has_limit(const Config& config, const Case& measured) {
    return measured.pattern == graphs::Pattern::stencil_1d && measured.way == "automatic" &&
           config.threads == 2;
}

}  // namespace

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

bool Results::cores_are_near() const {
    return bench::quantile(pingpong_ns_, 0.5) < bench::near_ns;
}

void Results::print_case(const Config& config, const Case& measured,
                         const Measured& figures) const {
    std::printf("%-42s ", measured.name().c_str());
    const bool has_metg = !figures.metg_ns.empty();
    const bench::Spread spread = has_metg ? bench::spread_of(figures.metg_ns) : bench::Spread();
    if (has_metg)
        std::printf("%10.4g %10.4g %10.4g", spread.median, spread.low, spread.high);
    else
        std::printf("%32s", "never half of the peak");
    if (figures.traced_share.empty())
        std::printf(" %8s", "");
    else
        std::printf(" %6.1f %%", 100 * bench::quantile(figures.traced_share, 0.5));
    std::printf(" %7zu", figures.metg_ns.size());
    if (has_limit(config, measured)) {
        const double limit = cores_are_near() ? limit_near_ns : limit_far_ns;
        const bool kept = has_metg && spread.median <= limit;
        std::printf("   at most %.0f %s", limit, kept ? "kept" : "MISSED");
    }
    std::printf("\n");
}

void Results::print(const Config& config) const {
    std::printf("\n%d rounds on %u threads; cores are %s (a flag takes %.0f ns)\n", config.rounds,
                config.threads, cores_are_near() ? "near" : "far",
                bench::quantile(pingpong_ns_, 0.5));
    std::printf("METG(50 %%) in ns, wall time x threads / tasks; every run was validated\n\n");
    std::printf("%-42s %10s %10s %10s %8s %7s   %s\n", "pattern/columns per thread/tracing",
                "median", "25 %", "75 %", "traced", "rounds", "limit");
    for (const auto& entry : cases_) print_case(config, entry.first, entry.second);
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
