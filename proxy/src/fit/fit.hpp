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
/// Errors are relative to each quantity, but at least to a floor, so that a quantity of 0 does not
/// decide everything: 0.5 % of the instructions (0.1 % for a modelled quantity), and 4 per execution.
/// A block that costs more than it brings is left out. Repetitions are whole numbers over all
/// executions; the proxy spreads them and carries the remainder to the next execution.
///
/// `total`: over all executions. `with_time`: seconds count, too, with a tenth of the weight. Empty if
/// the computation is smaller than what the machine needs to begin one.
[[nodiscard]] std::vector<Share> fit(const Machine& machine, const Quantities& total,
                                     std::uint64_t executions, bool with_time);

/// What the shares do, with what it takes to run them.
[[nodiscard]] Quantities predicted(const Machine& machine, const std::vector<Share>& shares,
                                   std::uint64_t executions);

}  // namespace refrain::proxy
