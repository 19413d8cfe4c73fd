#pragma once

#include <cstdint>
#include <vector>

#include "fit/machine.hpp"

namespace refrain::proxy {

/// Which blocks a computation is made of.
struct Share {
    std::size_t block = 0;          // of the machine
    std::uint64_t repetitions = 0;  // over all executions
    friend bool operator==(const Share&, const Share&) = default;
};

/// Blocks whose repetitions together do what was counted.
///
/// fit(machine, {9000 instructions, 3000 loads, ...}, 10) -> {add_8: 750, load_8: 375}: over 10 executions
///
/// Zero-safe: a quantity of 0 is asked for with a floor of 0.5 % of the instructions (0.1 % for what is modelled),
/// so that it stays near 0 without deciding everything; of an
/// execution, 4 of anything are chance. A block that costs more than it brings is left out. Repetitions are whole numbers over all executions: who
/// executes spreads them and carries what is left over to the next execution.
///
/// `total`: over all executions. `with_time`: seconds count, too, a tenth as much. Empty if the computation is smaller than the
/// machine needs to begin one.
[[nodiscard]] std::vector<Share> fit(const Machine& machine, const Quantities& total,
                                     std::uint64_t executions, bool with_time);

/// What the shares do, with what it takes to run them.
[[nodiscard]] Quantities predicted(const Machine& machine, const std::vector<Share>& shares,
                                   std::uint64_t executions);

}  // namespace refrain::proxy
