#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "graphs/system.hpp"

namespace graphs {

/// A graph run with one task size.
struct SweepPoint {
    std::int64_t iterations = 0;
    double granularity_ns = 0;  // wall time x threads / tasks
    double efficiency = 0;      // of the peak rate
};

/// Seconds since some time in the past.
[[nodiscard]] double steady_seconds();

/// How a sweep is made.
struct SweepConfig {
    unsigned threads = 2;
    double largest_ns = 20'000;  // task size to begin with
    bool upwards = true;         // begin with larger tasks if those are not efficient
    double ratio = 0.7;          // from one task size to the next
    double seconds = 0.01;       // measured at each task size, at least; the median run counts
    int runs = 3;                // the same
    int warm_up_runs = 8;        // of empty tasks, before the sweep
    double until = 0.3;          // the sweep ends when efficiency is below
    /// Tests have a clock and a peak of their own.
    std::function<double()> seconds_now = &steady_seconds;
    std::function<double(unsigned threads)> peak = &peak_flops;
};

/// Runs a system with smaller and smaller tasks.
struct Sweep {
    double peak_flops = 0;
    std::vector<SweepPoint> points;  // from large tasks to small ones
    std::optional<double> traced_share;
};

/// Every run is validated.
/// Errors: std::runtime_error if a task got wrong inputs, or did not run once.
[[nodiscard]] Sweep sweep(System& system, const TaskGraph& graph, const SweepConfig& config);

/// Minimum effective task granularity: the smallest average granularity at which efficiency is at
/// least `threshold`, between the two points where it falls below for the last time, in proportion
/// to the logarithm of the granularity.
///
///     (1000 ns, 0.8) (500 ns, 0.6) (300 ns, 0.4), threshold 0.5    -> 387 ns
///
/// Nothing if no point is efficient enough. If the smallest tasks are, the answer is their size.
///
/// Source: Slaughter et al., "Task Bench", SC 2020, section IV.
[[nodiscard]] std::optional<double> metg_ns(const std::vector<SweepPoint>& points,
                                            double threshold = 0.5);

[[nodiscard]] nlohmann::json to_json(const Sweep& sweep);

}  // namespace graphs
