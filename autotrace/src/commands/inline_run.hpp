#pragma once

#include "commands/operation_reader.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace refrain::commands {

/// The results of the inline recogniser on a stream.
struct InlineOutcome {
    /// Operations with the same distance to their precedents.
    struct Loop {
        std::uint64_t length;      ///< that distance, in traceable operations
        std::uint64_t operations;  ///< their number, in a context of context_asked operations
        std::uint64_t first_at;    ///< operations before the first of these
    };

    std::uint64_t operations = 0;
    std::uint64_t traceable = 0;
    std::uint64_t repeated = 0;  ///< operations with a precedent
    std::uint64_t replayed = 0;
    std::optional<std::uint64_t> first_replay;  ///< operations before it
    double coverage = 0;                        ///< share of the traceable that was replayed
    double coverage_second_half = 0;
    double coverage_last_quarter = 0;
    /// Traceable operations before the first steady window (replayed_share.hpp).
    std::optional<std::uint64_t> warm_up;
    std::vector<Loop> loops;  ///< those with most operations first
};

/// Runs an inline recogniser on a stream.
///
/// An operation counts as replayed if it has a context of InlineStream::context_asked operations,
/// and its precedent had one, too: the first iteration of a loop is new, the second is recorded,
/// and those from the third on are replayed.
///
/// `progress` is called with the number of lines read about every million lines.
[[nodiscard]] InlineOutcome run_inline(OperationReader& reader,
                                       const std::function<void(std::uint64_t)>& progress);

}  // namespace refrain::commands
