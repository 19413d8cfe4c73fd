#include "graphs/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "common/spread.hpp"

namespace graphs {
namespace {

constexpr double tried_ns_max = 3e5;        // larger tasks are not tried
constexpr double point_seconds_max = 0.25;  // per task size, whatever the number of runs

/// Sweeps one system over one graph.
class Sweeper {
  public:
    Sweeper(System& system, const TaskGraph& graph, const SweepConfig& config)
        : system_(system), graph_(graph), config_(config) {}

    Sweep sweep() {
        for (int i = 0; i < config_.warm_up_runs; ++i) validated_run(0);
        result_.peak_flops = config_.peak(config_.threads);
        (void)system_.traced_share();
        double size_ns = config_.largest_ns;
        while (measure(size_ns) < 0.6 && config_.upwards && size_ns < tried_ns_max) size_ns *= 2;
        size_ns = config_.largest_ns;
        // The sizes tried on the way up are in ascending order.
        std::reverse(result_.points.begin(), result_.points.end());
        double efficiency = result_.points.back().efficiency;
        while (efficiency >= config_.until && result_.points.back().iterations > 1)
            efficiency = measure(size_ns *= config_.ratio);
        result_.traced_share = system_.traced_share();
        return std::move(result_);
    }

  private:
    void validated_run(std::int64_t iterations) {
        system_.run({&graph_, iterations, &ledger_});
        ledger_.verify(graph_);
    }

    /// Appends the point for tasks with a kernel of about this duration; returns its efficiency.
    double measure(double size_ns) {
        const double iteration_ns =
            flops_per_iteration * config_.threads / result_.peak_flops * 1e9;
        const auto iterations = std::max<std::int64_t>(1, std::llround(size_ns / iteration_ns));
        std::vector<double> run_seconds;
        double total = 0;
        do {
            const double begin = config_.seconds_now();
            system_.run({&graph_, iterations, &ledger_});
            run_seconds.push_back(config_.seconds_now() - begin);
            total += run_seconds.back();
            ledger_.verify(graph_);
        } while ((total < config_.seconds || std::ssize(run_seconds) < config_.runs) &&
                 total < point_seconds_max);
        const double seconds = bench::quantile(run_seconds, 0.5);
        const auto tasks = static_cast<double>(graph_.task_count());
        const double flops = tasks * flops_per_iteration * static_cast<double>(iterations);
        const double efficiency = flops / seconds / result_.peak_flops;
        result_.points.push_back({iterations, seconds * 1e9 * config_.threads / tasks, efficiency});
        return efficiency;
    }

    System& system_;
    const TaskGraph& graph_;
    SweepConfig config_;
    Ledger ledger_;
    Sweep result_;
};

}  // namespace

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Sweep sweep(System& system, const TaskGraph& graph, const SweepConfig& config) {
    return Sweeper(system, graph, config).sweep();
}

std::optional<double> metg_ns(const std::vector<SweepPoint>& points, double threshold) {
    for (std::size_t i = points.size(); i-- > 0;) {
        const SweepPoint& above = points[i];
        if (above.efficiency < threshold) continue;
        if (i + 1 == points.size()) return above.granularity_ns;
        const SweepPoint& below = points[i + 1];
        const double share = (above.efficiency - threshold) / (above.efficiency - below.efficiency);
        return above.granularity_ns * std::pow(below.granularity_ns / above.granularity_ns, share);
    }
    return std::nullopt;
}

nlohmann::json to_json(const Sweep& sweep) {
    nlohmann::json out = {{"peak_flops", sweep.peak_flops}, {"points", nlohmann::json::array()}};
    for (const SweepPoint& point : sweep.points)
        out["points"].push_back({{"iterations", point.iterations},
                                 {"granularity_ns", point.granularity_ns},
                                 {"efficiency", point.efficiency}});
    const std::optional<double> metg = metg_ns(sweep.points);
    out["metg_ns"] = metg ? nlohmann::json(*metg) : nlohmann::json();
    if (sweep.traced_share) out["traced_share"] = *sweep.traced_share;
    return out;
}

}  // namespace graphs
