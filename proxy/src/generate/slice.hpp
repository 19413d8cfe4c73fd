#pragma once

#include "merge/recording.hpp"

#include <cstdint>
#include <string>

namespace refrain::proxy {

/// Iterations of a phase, counted from 1, the last one included.
struct Iterations {
    std::uint64_t first = 1;
    std::uint64_t last = ~std::uint64_t{0};
};

/// One phase of a run, and what it needs: a loop that all ranks make together and that stands in no other one.
///
/// Calls outside of all phases stay, since they make the handles, and do not compute. Other phases are left out: each
/// iteration of one gives up the handles that it makes and receives what it sends, so that nothing crosses its edges.
///
/// `phase`: the name of the loop; may be empty if there is only one. Errors: std::runtime_error if there is no such
/// phase, or if it has fewer iterations than `iterations` names; the message lists the phases.
[[nodiscard]] Recording slice(const Recording& recording, const std::string& phase,
                              Iterations iterations);

/// Whether a recording is a slice: then the separate counter of its run counted more than is in it.
[[nodiscard]] bool is_slice(const Recording& recording);

}  // namespace refrain::proxy
