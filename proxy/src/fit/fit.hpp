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

/// How a computation is done.
struct Plan {
    std::vector<Share> shares;
    std::uint64_t every = 1;  // executions for which the shares are run once
    std::uint64_t runs = 0;   // of the shares, by all ranks; not used where they are run each time
    friend bool operator==(const Plan&, const Plan&) = default;
};

/// What a computation did, and how it is to be done again.
struct Goal {
    Quantities total{};  // over all executions
    std::uint64_t executions = 1;
    bool with_time = false;  // seconds decide between blocks that count alike
    /// What is to be done beyond the total: where what lies around the blocks does too little, or, below 0, too much.
    Quantities more{};
    /// What that many instructions do on average in the rank. Errors count as shares of it, as in the rank's totals; where it is
    /// 0, as shares of the total above.
    Quantities usual{};
    /// How many of the executions each rank has; none: the shares are run each time.
    std::vector<std::uint64_t> by_rank{};
};

/// The execution in which shares are run first that are run once in `every`: the middle one, so that a rank that stops earlier
/// than it did, as with --repeat, computes as often too much as too little.
[[nodiscard]] constexpr std::uint64_t first_run(std::uint64_t every) {
    return every - every / 2;
}

/// How many of that many executions run the shares.
///
/// runs_of(100, 16) -> 6: in the 8th, 24th, ... 88th
[[nodiscard]] constexpr std::uint64_t runs_of(std::uint64_t executions, std::uint64_t every) {
    return executions / every + (executions % every >= first_run(every) ? 1 : 0);
}

/// Blocks whose repetitions together do what was counted.
///
/// fit(machine, {{9000 instructions, 3000 loads, ...}, 10}) -> {chain_8: 500, load_8: 375}: over 10 executions
///
/// A block that costs more than it brings is left out. Repetitions are whole numbers over all
/// executions; the proxy spreads them and carries the remainder to the next run of the shares. What is so small that
/// beginning its blocks would be most of it runs them once in several executions.
///
/// Empty if the computation is smaller than what the machine needs to begin one.
///
/// `now`: the plan that was measured last, or one near it, if any. It is refined step by step, and left only where another
/// plan comes clearly nearer: what happens around blocks was measured of it, and is a guess for others.
[[nodiscard]] Plan fit(const Machine& machine, const Goal& goal, const Plan& now = {});

/// What a plan does, with what it takes to run its shares.
[[nodiscard]] Quantities predicted(const Machine& machine, const Plan& plan,
                                   std::uint64_t executions);

}  // namespace refrain::proxy
