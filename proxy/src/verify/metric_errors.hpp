#pragma once

#include "merge/recording.hpp"

#include <string>
#include <vector>

namespace refrain::proxy {

/// How far a proxy's computation is from the original's, in one metric. Errors are |proxy - original| / original.
struct MetricError {
    std::string name;
    double original = 0, proxy = 0;  // over all ranks
    double mean = 0;                 // of the ranks' errors
    double worst = 0;                // rank
    double per_event = 0;  // sum over ranks and events of |difference|, by the sum of the original
};

/// Per metric: of totals per rank, and of each computation between two calls and each thread of it, so that nothing cancels. A
/// metric of which the original has none is left out.
///
/// Both have counts of the same source.
[[nodiscard]] std::vector<MetricError> metric_errors(const Recording& original,
                                                     const Recording& proxy);

/// The same of what each thread does in teams, by thread; empty if no team was counted.
[[nodiscard]] std::vector<std::vector<MetricError>> thread_errors(const Recording& original,
                                                                  const Recording& proxy);

/// One figure for all metrics that are not rare: the mean of what they are off, in totals and, with 0.3 of the weight, in each
/// computation.
[[nodiscard]] double error_in_all(const std::vector<MetricError>& errors);

/// What a proxy counted, by the work of the original: `[i][k]` belongs to `original.work[i].ranks[k]`, and has its parts
/// (parts_of). Where several works lie between calls that are spelled alike, each has its share by instructions.
[[nodiscard]] std::vector<std::vector<std::vector<Counts>>> counts_of_proxy(
    const Recording& original, const Recording& proxy);

/// Gives a timed recording the counts of a recording of the same calls.
void add_counts(Recording& timed, const Recording& counted);

}  // namespace refrain::proxy
