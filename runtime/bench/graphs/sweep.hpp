#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "graphs/system.hpp"

namespace graphs {

/// A graph run with one task size.
struct SweepPoint {
    std::int64_t iterations = 0;
    double granularity_ns = 0;  // wall time x threads / tasks
    double efficiency = 0;      // relative to the peak rate
};

/// Seconds of a monotonic clock.
[[nodiscard]] double steady_seconds();

/// Parameters of a sweep.
struct SweepConfig {
    unsigned threads = 2;
    double largest_ns = 20'000;  // first task size
    bool upwards = true;         // try larger tasks first if that size is not efficient
    double ratio = 0.7;          // from one task size to the next
    double seconds = 0.01;       // least measured time per task size; the median run counts
    int runs = 3;                // least number of runs per task size
    int warm_up_runs = 8;        // of empty tasks, before the sweep
    double until = 0.3;          // the sweep ends below this efficiency
    /// Tests replace the clock and the peak.
    std::function<double()> seconds_now = &steady_seconds;
    std::function<double(unsigned threads)> peak = &peak_flops;
};

/// The result of running a system with ever smaller tasks.
struct Sweep {
    double peak_flops = 0;
    std::vector<SweepPoint> points;  // from large tasks to small ones
    std::optional<double> traced_share;
};

/// Runs `system` with ever smaller tasks; validates every run.
///
/// Errors: std::runtime_error if a task got wrong inputs, or did not run once.
[[nodiscard]] Sweep sweep(System& system, const TaskGraph& graph, const SweepConfig& config);

/// Minimum effective task granularity: the smallest average granularity with an efficiency of at
/// least `threshold`, interpolated in the logarithm of the granularity between the last two points
/// that enclose `threshold`.
///
///     (1000 ns, 0.8) (500 ns, 0.6) (300 ns, 0.4), threshold 0.5    -> 387 ns
///
/// Nothing if no point is efficient enough. If the smallest tasks are efficient enough, their size.
///
/// Source: Slaughter et al., "Task Bench", SC 2020, section IV.
[[nodiscard]] std::optional<double> metg_ns(const std::vector<SweepPoint>& points,
                                            double threshold = 0.5);

[[nodiscard]] nlohmann::json to_json(const Sweep& sweep);

}  // namespace graphs
