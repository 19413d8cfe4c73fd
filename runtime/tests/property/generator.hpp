/// Random programs from seeds.
///
/// Programs have the structure of real ones: variables, straight-line parts, loops, phases A B A B,
/// branches, handles that are swapped, temporaries created in each iteration. A statement is kept
/// only if it is legal by the oracle's state, so programs are legal by construction. Sizes are
/// small and features chosen per seed, so that rare paths are common.
///
/// generate(7) gives the same program on every machine.
#pragma once

#include "property/program.hpp"

namespace refrain::property {

struct GeneratorLimits {
    int statements = 300;
    bool misuse = true;    // statements that must be refused
    bool failures = true;  // tasks that throw
    Reductions reductions = Reductions::free;
    bool long_loops = false;   // most statements are in loops of hundreds of turns, few of which
                               // differ from the others
    bool exact_edges = false;  // ... in loops that begin and end at any operation of their turns
    bool resizes = false;      // ... in loops between whose turns regions change their sizes
    bool rows = false;         // ... in long loops of index launches, which go into lanes
    bool long_turns = false;  // ... whose turns are often longer than windows, of single tasks, too
    bool broad = false;       // launches of up to 200 points, 12 regions and 8 futures
    bool pointers = false;    // pointers of all ranks, and short ones
    bool blocks = false;      // regions of many pages
    bool throwing_folds = false;
    bool tasks_only = false;  // whatever is written, tasks write, and nothing else needs its values
};

[[nodiscard]] Program generate(std::uint64_t seed, const GeneratorLimits& limits = {});

}  // namespace refrain::property
