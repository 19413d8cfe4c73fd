#pragma once

#include "merge/recording.hpp"
#include "page/json.hpp"
#include "proxy_commands/options.hpp"
#include "verify/time_verdict.hpp"

#include <string>
#include <utility>
#include <vector>

namespace refrain::proxy {

/// Times of both, from MPI_Init to MPI_Finalize: of the slowest rank, and of all processors.
struct Times {
    std::vector<double> wall, cpu;

    void add(const Recording& run);
};
struct TimedRuns {
    Times original, proxy;
    std::string problem;  // why there are no times, or no more of them; empty if there are all

    [[nodiscard]] std::vector<std::pair<std::string, TimeVerdict>> verdicts() const;
};

/// Errors: UsageError if `options.times` is one or less than none: one run does not tell how much runs vary
void check_times(const Options& options);
/// Runs a program and its proxy `options.times` times in turns. Both are recorded, so that the recorder takes the same from both. The first that fails
/// ends it.
[[nodiscard]] TimedRuns run_in_turns(const Recording& original,
                                     const std::vector<std::string>& proxy, const Options& options);
void print_times(const TimedRuns& times);
/// As the member "time" of an object.
void add_times(page::JsonWriter& json, const TimedRuns& times);

}  // namespace refrain::proxy
