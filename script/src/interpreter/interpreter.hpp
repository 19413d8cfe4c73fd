#pragma once

#include "ir/program.hpp"
#include "leaves/leaf_table.hpp"
#include "refrain/script/options.hpp"
#include "refrain/script/run_control.hpp"
#include "workers/run_outcome.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace refrain::script {

/// The first calls of a run, in their order: of leaf functions, and of functions of the library that have no result.
struct InterpretedCalls {
    static constexpr std::size_t most = 1000;
    std::function<std::string(Position)> place_of;
    std::vector<CallRecord> all{};
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
