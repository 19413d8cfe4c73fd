#pragma once

#include "ir/program.hpp"
#include "leaves/leaf_table.hpp"
#include "refrain/script/run_control.hpp"
#include "workers/run_outcome.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace refrain::script {

/// A call of a leaf function, or of a function of the library that has no result.
struct InterpretedCall {
    std::string name;
    Position at;
    double began = 0, ended = 0;  // seconds since the run began
    bool failed = false;
    std::set<std::size_t>
        after;  // the calls whose results it needed, without those that these needed
};
/// The first calls of a run, in their order.
struct InterpretedCalls {
    static constexpr std::size_t most = 1000;
    std::vector<InterpretedCall> all;
    std::uint64_t left_out = 0;
};

/// Runs a program in one thread. Unless failures are independent, nothing begins behind the first one.
///
/// calls       what it called, if that is asked for.
/// Complexity: quadratic in the number of statements that wait at a time.
[[nodiscard]] RunOutcome interpret(const ir::Program& program, const LeafTable& leaves,
                                   Services& services, const RunControl& control,
                                   FailurePolicy failures = FailurePolicy::independent,
                                   InterpretedCalls* calls = nullptr);

}  // namespace refrain::script
