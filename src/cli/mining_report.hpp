#pragma once

#include <ostream>

#include "cli/mining_run.hpp"

namespace refrain::cli {

/// For people.
void print_table(std::ostream& out, const MiningOutcome& outcome);

/// For programs: one object with the keys operations, traceable, replayed, coverage,
/// coverage_second_half, first_replay (null if nothing was replayed), traces, held_back_mean.
void print_json(std::ostream& out, const MiningOutcome& outcome);

}  // namespace refrain::cli
