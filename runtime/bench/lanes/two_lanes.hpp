#pragma once

#include "graph/lanes.hpp"
#include "runtime/launch_row.hpp"

#include <cstddef>
#include <cstdint>

namespace lanes {

/// A loop of index launches in two lanes, in ns.
struct Program {
    double line = 280;         // a line takes so long from one core to the other
    double point = 200;        // each lane has two of a launch
    bool waits = true;         // one of them waits for the other lane, one launch back
    double launch = 100;       // of the launching thread, without lines
    double between = 0;        // what it does from one launch to the next
    unsigned waits_after = 0;  // launches; then it waits for all. 0: only at the end
};

/// What lanes.hpp has.
struct Limits {
    std::uint64_t lag = refrain::graph::Lanes::lag;
    std::uint64_t lag_polls = refrain::graph::Lanes::lag_polls;
};

/// Time per launch, in virtual time, of what lanes.hpp does on two cores. Counted are lines of entries, two launches
/// in each, of records, and of counters. The launching thread asks for those of a launch when it is some launches behind
/// it (LaunchRow::ahead); what the worker reads of them from then on, it has to ask for again. The worker asks for as many launches that
/// are published, and touches the next.
[[nodiscard]] double time_in_lanes(const Program& program, const Limits& limits);
/// The same on the launching thread alone.
[[nodiscard]] inline double time_alone(const Program& program) {
    return program.between + program.launch + 4 * program.point;
}

/// Prints curves of the limits, and from which length of launches on lanes pay.
void print_limits();

}  // namespace lanes
