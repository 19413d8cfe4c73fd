#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "commands/operation_reader.hpp"

namespace refrain::commands {

/// What the inline recogniser made of a stream.
struct InlineOutcome {
    /// A distance between operations and their precedents.
    struct Loop {
        std::uint64_t length;      ///< traceable operations from one to the other
        std::uint64_t operations;  ///< that have their precedent there, in a context long enough
        std::uint64_t first_at;    ///< operations before the first of these
    };

    std::uint64_t operations = 0;
    std::uint64_t traceable = 0;
    std::uint64_t repeated = 0;  ///< that have a precedent
    std::uint64_t replayed = 0;
    std::optional<std::uint64_t> first_replay;  ///< operations before it
    double coverage = 0;                        ///< share of the traceable that was replayed
    double coverage_second_half = 0;
    double coverage_last_quarter = 0;
    /// Traceable operations before the first window of which almost all were replayed.
    std::optional<std::uint64_t> warm_up;
    std::vector<Loop> loops;  ///< those with most operations first
};

/// Shows a stream to an inline recogniser.
///
/// An operation counts as replayed if a context of InlineStream::context_asked operations repeats,
/// and if that was so of its precedent, too: in the first iteration of a loop nothing is known, in the
/// second results are kept, from the third on they are used.
///
/// `progress` is called with the number of lines read about every million lines.
[[nodiscard]] InlineOutcome run_inline(OperationReader& reader,
                                       const std::function<void(std::uint64_t)>& progress);

}  // namespace refrain::commands
