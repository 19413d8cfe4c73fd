#pragma once

#include "events/metrics.hpp"

#include <array>
#include <string>
#include <vector>

#include "fit/block_kind.hpp"

namespace refrain::proxy {

/// Metrics and, behind them, seconds.
inline constexpr std::size_t quantity_count = metric_count + 1;
inline constexpr std::size_t seconds_row = metric_count;
using Quantities = std::array<double, quantity_count>;

/// What one repetition of a block does on a machine.
struct MeasuredBlock {
    std::string name;  // "load_64"
    Quantities each{};
};

/// What `refrain proxy calibrate` found out.
struct Machine {
    Source source = Source::time_and_counts;
    BlockKind block_kind = BlockKind::assembly;
    std::string name;      // of the processor
    std::string compiler;  // its first line
    Quantities entry{};    // of computing for one event, whatever it is made of
    Quantities share{};    // of each block that an event is made of, however often it is repeated
    Quantities wait{};     // of an execution of an event whose blocks run once in several
    /// Of a team: of each thread's part beyond what its event does, and of beginning it, for who does; 0 where the compiler that
    /// calibrated has no OpenMP.
    Quantities team_part{}, team_begin{};
    std::vector<MeasuredBlock> blocks;

    /// Blocks of which twice as many repetitions did not do twice as much, within 2 %.
    std::vector<std::string> not_additive;
};

/// How many quantities blocks can change independently of each other, and which.
struct Steering {
    std::size_t rank = 0;
    std::vector<std::string> steered, not_steered;
};
[[nodiscard]] Steering steering(const Machine& machine);

[[nodiscard]] std::string write_json(const Machine& machine);
/// Errors: std::runtime_error, with the name and what is wrong in it.
[[nodiscard]] Machine read_machine(const std::string& text, const std::string& name);

}  // namespace refrain::proxy
