#pragma once

#include "trace/dormancy.hpp"

#include <cstdint>

#include "dormancy/streams.hpp"

namespace dormancy {

/// Instructions per launch of one argument, as callgrind counts them on one worker.
struct Costs {
    double awake = 4'230;     // found by a walk, and the recogniser asked in vain
    double replayed = 1'560;  // known from an earlier launch
    double asleep = 2'940;    // found by states, and a fingerprint
    double change = 500;      // of one pending launch, from walks to states and back
    double pending = 256;     // launches when dormancy begins
};

/// What a program costs, per launch, with a recogniser that replays what follows the same eight launches
/// as once before while it was awake, and is left alone as Dormancy says.
[[nodiscard]] double instructions_per_launch(const Stream& stream,
                                             const refrain::trace::Dormancy::Limits& limits,
                                             const Costs& costs);

}  // namespace dormancy
