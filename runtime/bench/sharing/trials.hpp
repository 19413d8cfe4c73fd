#pragma once

#include "graph/alone_policy.hpp"

#include <cstdint>
#include <vector>

namespace sharing {

/// A loop that runs shared or alone, in virtual time. A stretch that is shared takes 1.
struct TrialProgram {
    double alone = 1;            // what a stretch alone takes, while it is the one or the other:
    double alone_later = alone;  // every other `period`
    double period = 0;           // 0: it never changes
    double moving =
        1.0 / 8;  // a stretch takes so much longer after the other way was taken: data moves
    double turn = 1.0 / 16;  // of the loop, in stretches
    double untimed = 1;      // a stretch of a trial that is not timed
    double spread = 0;       // irregular: a stretch takes up to so much more or less, at random
    std::uint64_t seed = 0;
    std::uint64_t stretches = 0;
};

/// What it takes where AlonePolicy decides.
[[nodiscard]] double time_tried(const TrialProgram& program,
                                const refrain::graph::AlonePolicy::Settings& settings);
/// What it takes shared, or alone, whichever is faster.
[[nodiscard]] double time_of_better_way(const TrialProgram& program);
/// What it takes if each stretch is run in the faster way of its time, and moving costs nothing: no policy can do
/// better.
[[nodiscard]] double least_time(const TrialProgram& program);

/// Prints how much trials cost, for each price of being alone and length of a program, and curves over the settings.
void print_trials();

}  // namespace sharing
