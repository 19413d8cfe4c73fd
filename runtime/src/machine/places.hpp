#pragma once

#include <cstddef>
#include <vector>

#include "machine/cores.hpp"

/// Which worker runs on which core: a pure function.
namespace refrain::machine {

/// The cores as far as their processors are among `allowed` (ascending); a core with none is left out.
[[nodiscard]] std::vector<Core> restrict_to(const std::vector<Core>& cores,
                                            const std::vector<unsigned>& allowed);

/// The cores in their order, but from the one of `processor` on, round the end. As they are if none
/// has it.
[[nodiscard]] std::vector<Core> starting_at(std::vector<Core> cores, unsigned processor);

/// The core of a worker: neighbours among the workers, which steal from one another first, are
/// neighbours on the machine. Only where there are more workers than cores does a core get a second.
///
/// core_of_worker({c0, c1, c2}, w), w = 0, 1, 2, 3 -> c0, c1, c2, c0
[[nodiscard]] inline const Core& core_of_worker(const std::vector<Core>& cores,
                                                std::size_t worker) {
    return cores[worker % cores.size()];
}

}  // namespace refrain::machine
