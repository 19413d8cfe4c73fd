#include "overhead/report.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/pingpong.hpp"
#include "common/results.hpp"
#include "common/spread.hpp"

namespace overhead {
namespace {

using bench::quantile;

/// A limit: a multiple of another figure of the same run, or an absolute one for near cores.
struct Limit {
    std::string key;
    std::string relative_to;
    double factor = 0;
    std::optional<double> near = {};
    bool at_least = false;
};

const std::vector<Limit>& limits() {
    static const std::vector<Limit> all = {
        {"static_graph_ns", "tbb_static_ns", 0.6, 30},
        {"analyse_ns", "tbb_static_ns", 2, 120},
        {"single_ns", "", 0, 250},
        {"record_ns", "analyse_ns", 1.5},
        {"replay_ns", "tbb_static_ns", 0.9, 45},
        {"auto_ns", "tbb_static_ns", 0.8, 40},
        {"single_auto_ns", "", 0, 60},
        {"single_auto_one_worker_ns", "", 90},
        {"beyond_launch_ns", "", 15},
        {"autotrace_launch_ns", "", 0},
        {"norepeat_ratio", "", 1.02},
        {"long_loop_ratio", "", 2},
        {"mine_1m_s", "", 1.5},
        {"steady_mallocs", "", 0, 0},
        {"dynamic_launch", "", 5},
        {"region_thrice", "", 1.2},
        {"dynamic_mallocs", "", 0, 0},
        {"body_1us", "", 0.85, 0.93, true},
        {"body_10us", "", 0.95, 0.98, true},
        {"sleeping", "", 1.1},
    };
    return all;
}

std::string verdict(const Report& report, const Limit& limit, bool is_near) {
    if (!limit.relative_to.empty() && !report.has(limit.relative_to))
        return "needs " + limit.relative_to;
    const double value = report.median(limit.key);
    double bound =
        limit.relative_to.empty() ? limit.factor : limit.factor * report.median(limit.relative_to);
    char text[160];
    if (limit.relative_to.empty() && limit.near && is_near) bound = *limit.near;
    if (limit.key.ends_with("_mallocs")) bound = 0;
    if (!limit.relative_to.empty() && limit.near && is_near) bound = std::min(bound, *limit.near);
    if (limit.factor == 0 && limit.near && *limit.near != 0 && !is_near)
        return "";  // for near cores
    const bool kept = limit.at_least ? value >= bound : value <= bound;
    std::snprintf(text, sizeof text, "%s %.4g %s", limit.at_least ? "at least" : "at most", bound,
                  kept ? "kept" : "MISSED");
    return text;
}

}  // namespace

double Report::median(const std::string& key) const {
    return quantile(values_.at(key), 0.5);
}

void Report::print(const Config& config) const {
    const double distance = std::max(median("pingpong_before_ns"), median("pingpong_after_ns"));
    const bool is_near = distance < near_ns;
    std::printf("\n%d rounds; cores are %s (a flag takes %.0f ns before, %.0f ns after)\n",
                config.rounds, is_near ? "near" : "far", median("pingpong_before_ns"),
                median("pingpong_after_ns"));
    std::printf("%-22s %10s %10s %10s %10s   %s\n", "key", "median", "25 %", "75 %", "cpu",
                "limit");
    for (const auto& [key, values] : values_) {
        std::string limit_text;
        for (const Limit& limit : limits())
            if (limit.key == key) limit_text = verdict(*this, limit, is_near);
        const auto cpu = cpu_.find(key);
        char cpu_text[32] = "";
        if (cpu != cpu_.end())
            std::snprintf(cpu_text, sizeof cpu_text, "%.4g", quantile(cpu->second, 0.5));
        std::printf("%-22s %10.4g %10.4g %10.4g %10s   %s\n", key.c_str(), median(key),
                    quantile(values, 0.25), quantile(values, 0.75), cpu_text, limit_text.c_str());
    }
}

void Report::write_json(const Config& config) const {
    if (config.json.empty()) return;
    nlohmann::json out;
    out["machine"] = bench::machine_json();
    out["conditions"] = {
        {"rounds", config.rounds}, {"steps", config.steps}, {"width", width}, {"workers", workers}};
    for (const auto& [key, values] : values_) {
        out["results"][key] = bench::spread_json(values);
        const auto cpu = cpu_.find(key);
        if (cpu != cpu_.end()) out["results"][key]["cpu_median"] = quantile(cpu->second, 0.5);
        out[key] = median(key);
    }
    out["pingpong_ns"] = {median("pingpong_before_ns"), median("pingpong_after_ns")};
    bench::write_json(config.json, out);
    std::printf("results are in %s\n", config.json.c_str());
}

}  // namespace overhead
