#pragma once

#include "commands/inline_run.hpp"
#include "commands/mining_run.hpp"

#include <ostream>

namespace refrain::commands {

/// Prints a table.
void print_table(std::ostream& out, const MiningOutcome& outcome);
void print_table(std::ostream& out, const InlineOutcome& outcome);

/// Prints one object with the keys operations, traceable, replayed, coverage, coverage_second_half,
/// coverage_last_quarter, first_replay (null if nothing was replayed) and held_back_mean; and
/// traces, a number, or loops, a list of the 20 with most operations, each with length, operations
/// and first_repeated.
void print_json(std::ostream& out, const MiningOutcome& outcome);
void print_json(std::ostream& out, const InlineOutcome& outcome);

}  // namespace refrain::commands
