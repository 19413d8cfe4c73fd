/// Checks one program, or many, against the oracle in one mode.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "property/compare.hpp"
#include "property/mode.hpp"

namespace refrain::property {

/// The first difference from the oracle; empty if there is none. Stores the run's statistics in
/// `statistics` if that is not null.
[[nodiscard]] std::string check(const Program& program, const Mode& mode,
                                Statistics* statistics = nullptr);

struct Failing {
    std::uint64_t seed = 0;
    std::string difference;
};

struct Campaign {
    std::uint64_t first_seed = 0;
    std::uint64_t count = 100;
    double seconds = 0;            // time limit; 0: none
    std::uint64_t checked = 0;     // out: programs checked
    std::uint64_t operations = 0;  // out: launches, fills and fences of these
    std::uint64_t replayed = 0;    // out: replayed operations of these
    std::uint64_t in_lanes = 0;    // out: operations of these whose points had fixed workers
    std::uint64_t in_rows = 0;     // out: and that wrote no history of their own
    std::uint64_t direct = 0;      // out: operations of these that ran inside of their calls
};

/// Checks the programs of many seeds, in child processes, until one fails.
[[nodiscard]] std::optional<Failing> find_failure(const Mode& mode, Campaign& campaign);

/// Shrinks the failing program; returns it, with the command that runs its seed again, as text.
[[nodiscard]] std::string explain(const Failing& failing, const Mode& mode);

}  // namespace refrain::property
