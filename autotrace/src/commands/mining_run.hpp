#pragma once

#include "commands/operation_reader.hpp"
#include "refrain/autotrace.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace refrain::commands {

/// The results of mining a stream.
struct MiningOutcome {
    struct Trace {
        autotrace::TraceId id;
        std::size_t length;
        std::uint64_t recorded_at;  ///< operations before it
        std::uint64_t replays;
    };

    autotrace::Statistics statistics;
    std::vector<Trace> traces;  ///< in the order of their recording
    double coverage = 0;        ///< share of the traceable operations that was replayed
    double coverage_second_half = 0;
    double coverage_last_quarter = 0;
    /// Traceable operations before the first steady window (replayed_share.hpp).
    std::optional<std::uint64_t> warm_up;
};

/// Runs an AutoTracer on a stream, with a host that only counts. `progress` is called with the
/// number of lines read about every million lines.
[[nodiscard]] MiningOutcome run_mining(OperationReader& reader, const autotrace::Options& options,
                                       const std::function<void(std::uint64_t)>& progress);

}  // namespace refrain::commands
