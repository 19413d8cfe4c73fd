#pragma once

#include <cstdint>
#include <string>

#include "common/pingpong.hpp"
#include "common/stopwatch.hpp"

/// Settings of all measurements of this benchmark: empty tasks in a one-dimensional three-point
/// stencil.
///
///     step t, column c waits for step t-1, columns c-1, c, c+1 (those that exist)
namespace overhead {

inline constexpr int width = 4;            // tasks per step
inline constexpr int workers = 2;          // the launching thread and one more
inline constexpr int static_steps = 1000;  // of graphs that are built beforehand
inline constexpr int trace_steps = 100;    // per manual trace

struct Config {
    int rounds = 9;        // every quantity is measured once per round; medians are reported
    int steps = 20'000;    // launched per measurement
    int static_runs = 20;  // of the graphs built beforehand
    std::string json;      // file for the results; empty: none
    bool quick = false;    // one short round: does everything work?
};

using bench::Cost;
using bench::near_ns;
using bench::pingpong_ns;
using bench::Stopwatch;

}  // namespace overhead
