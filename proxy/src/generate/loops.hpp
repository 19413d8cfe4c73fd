#pragma once

#include "merge/recording.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace refrain::proxy {

/// Where a run stands: in a rule, or in the main rule.
struct RunPlace {
    std::uint32_t rule = main_rule;
    std::size_t index = 0;

    static constexpr std::uint32_t main_rule = ~std::uint32_t{0};
    friend auto operator<=>(const RunPlace&, const RunPlace&) = default;
};

/// A loop that all ranks make together: it stands at one or several places, and each rank passes one of them.
///
/// It can be made more or less often, and nobody waits for what never comes: at each place it is made equally often;
/// what one iteration of all ranks sends it receives, by tag; and all make as many collective calls on MPI_COMM_WORLD.
/// Handles that an iteration makes it gives up, since the next one makes the same.
struct Loop {
    std::string name;      // what it repeats; no two loops have the same one
    std::string contents;  // "8 Isend, Waitall"
    std::uint64_t times = 0;
    bool top = false;              // its places are in main: each rank comes there once
    std::vector<RunPlace> places;  // in ascending order
    strings::Run run;              // what the first place repeats
};

/// Loops of the main rule first, in the order of the run. Loops within loops are loops of their own.
///
/// Complexity: of the runs of all ranks' main rules, and of the grammar. A recording with more than thousands of loops
///             in a row has none that anybody would look for: then the result is empty.
[[nodiscard]] std::vector<Loop> common_loops(const Recording& recording);

}  // namespace refrain::proxy
