/// The share of replayed operations over a run: Figure 10 of Yadav et al., "Automatic Tracing in
/// Task-Based Runtime Systems", ASPLOS 2025.
#pragma once

#include "refrain/statistics.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace example {

/// The window of the paper's figure, in operations.
inline constexpr double share_window = 5000;

/// Of the last `window` operations up to `operations`, `share` were replayed.
struct SharePoint {
    double operations = 0;
    double share = 0;
};

/// Operations replayed among the first `operations`, linear between the samples.
///
///     samples (100, 0) (200, 80):    replayed_before(samples, 150) -> 40
[[nodiscard]] inline double replayed_before(std::span<const refrain::ProgressSample> samples,
                                            double operations) {
    double last_operations = 0;
    double last_replayed = 0;
    const auto after = std::partition_point(samples.begin(), samples.end(), [&](const auto& s) {
        return static_cast<double>(s.operations) < operations;
    });
    if (after != samples.begin()) {
        last_operations = static_cast<double>(std::prev(after)->operations);
        last_replayed = static_cast<double>(std::prev(after)->replayed);
    }
    if (after == samples.end()) return last_replayed;
    const double width = static_cast<double>(after->operations) - last_operations;
    const double rise = static_cast<double>(after->replayed) - last_replayed;
    return width > 0 ? last_replayed + rise * (operations - last_operations) / width
                     : last_replayed;
}

/// For each sample, the replayed share of the `window` operations before it, or of all operations
/// if there are fewer.
[[nodiscard]] inline std::vector<SharePoint> traced_share(
    std::span<const refrain::ProgressSample> samples, double window = share_window) {
    std::vector<SharePoint> curve{{0, 0}};
    for (const refrain::ProgressSample& sample : samples) {
        const auto now = static_cast<double>(sample.operations);
        const double width = std::min(window, now);
        if (width <= 0) continue;
        const double before = replayed_before(samples, now - width);
        curve.push_back({now, (static_cast<double>(sample.replayed) - before) / width});
    }
    return curve;
}

/// The operation at which the steady state begins: of any `window` successive operations from there
/// on, at least `share` are replayed. Nothing if there is none. For runs shorter than four windows,
/// the window is a quarter of the run. Between two samples, the operations that were not replayed
/// are assumed to come first.
///
///     a sample every 64 operations, all but the first 3 of 60000 replayed -> 3
[[nodiscard]] inline std::optional<double> steady_from(
    std::span<const refrain::ProgressSample> samples, double window = share_window,
    double share = 0.99) {
    if (samples.empty()) return std::nullopt;
    const auto end = static_cast<double>(samples.back().operations);
    const double width = std::min(window, end / 4);
    std::optional<double> steady;
    for (std::size_t i = samples.size(); i-- > 0;) {
        const double begin = i == 0 ? 0 : static_cast<double>(samples[i - 1].operations);
        if (begin + width > end) continue;
        const double before = replayed_before(samples, begin);
        if (replayed_before(samples, begin + width) - before < share * width) break;
        const double lost = static_cast<double>(samples[i].operations) - begin -
                            (static_cast<double>(samples[i].replayed) - before);
        steady = begin + lost;
    }
    return steady;
}

/// Seconds per operation in the second half of the operations, from launch to launch; nothing if
/// the run is too short. The second half excludes startup costs; `steady_from` tells whether it
/// really does.
[[nodiscard]] inline std::optional<double> seconds_per_late_operation(
    std::span<const refrain::ProgressSample> samples) {
    if (samples.empty()) return std::nullopt;
    // Copied before the size check: GCC 12 reports a reference taken after it as out of bounds.
    const refrain::ProgressSample end = samples.back();
    if (samples.size() < 4) return std::nullopt;
    const refrain::ProgressSample& begin = *std::partition_point(
        samples.begin(), samples.end() - 2,
        [&](const auto& sample) { return 2 * sample.operations < end.operations; });
    return (end.seconds - begin.seconds) / static_cast<double>(end.operations - begin.operations);
}

}  // namespace example
