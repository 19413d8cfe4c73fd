/// Prints a comparison as a table: a row per figure, a column per mode.
#pragma once

#include <optional>

#include "common/comparison.hpp"

namespace example {

/// Iterations before the steady state; nothing if there was none.
[[nodiscard]] std::optional<double> iterations_until_steady(const Measurement& m);

[[nodiscard]] double replayed_share(const Measurement& m);

/// Replayed share of the operations from the steady state on.
[[nodiscard]] std::optional<double> steady_share(const Measurement& m);

/// Time of the launching thread per point task; nothing if there were none.
[[nodiscard]] std::optional<double> nanoseconds_per_task(const refrain::PhaseStatistics& phase);

/// Median over the repetitions; nothing if they were too short.
[[nodiscard]] std::optional<double> late_ns_per_operation(const Measurement& m);

/// Speed relative to `mode` in the second half; nothing if that mode did not run.
[[nodiscard]] std::optional<double> late_speed_relative_to(const Comparison& comparison, Mode other,
                                                           const Measurement& m);

/// Speed relative to `mode`; nothing if that mode did not run.
[[nodiscard]] std::optional<double> speed_relative_to(const Comparison& comparison, Mode other,
                                                      const Measurement& m);

void print_table(const Comparison& comparison);

}  // namespace example
