/// One program, or many, against the oracle in one mode.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "property/compare.hpp"
#include "property/mode.hpp"

namespace refrain::property {

/// What differs from the oracle; empty if nothing does. Adds up what was traced, if asked for.
[[nodiscard]] std::string check(const Program& program, const Mode& mode,
                                TraceStatistics* traced = nullptr);

struct Failing {
    std::uint64_t seed = 0;
    std::string difference;
};

struct Campaign {
    std::uint64_t first_seed = 0;
    std::uint64_t count = 100;
    double seconds = 0;            // stop after that long; 0: never
    std::uint64_t checked = 0;     // out: how many were
    std::uint64_t operations = 0;  // out: launches, fills and fences in all programs
    std::uint64_t replayed = 0;    // out: of these
};

/// Checks the programs of many seeds, in processes of their own, until one fails.
[[nodiscard]] std::optional<Failing> find_failure(const Mode& mode, Campaign& campaign);

/// The failing program made small, with the command that runs its seed again.
[[nodiscard]] std::string explain(const Failing& failing, const Mode& mode);

}  // namespace refrain::property
