#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fit/block_kind.hpp"

namespace refrain::proxy {

/// A piece of computation that no compiler leaves out or joins: a loop over `copies` copies of one body, in assembly (x86-64) or
/// in C99 (`portable_blocks.hpp`).
struct Block {
    std::string name;  // "load_64"
    std::string kind;  // "load"
    int copies = 0;
};

/// How many steps a repetition has, in each size: of most blocks; of those that miss, since many a computation that happens once
/// has a handful of misses; of those of one size.
inline constexpr std::array<int, 3> block_steps = {8, 64, 512}, miss_steps = {1, 8, 64};
inline constexpr std::array<int, 1> one_size = {8};
inline constexpr std::size_t block_sizes = block_steps.size();

/// What the calibrator repeats to learn what shares cost: each of the first bodies in its smallest size so often.
inline constexpr std::array<double, 4> share_rates = {20.37, 24.61, 28.83, 32.19};

/// All blocks of a kind, those of one body together, in the order in which an event runs them. Most bodies have three sizes: a hot event
/// has one branch in hundreds of instructions, so that a loop's own must lie below that; a rare event needs small ones, or
/// rounding loses it.
[[nodiscard]] const std::vector<Block>& all_blocks(BlockKind kind);
/// The index of a block in all_blocks(); nothing if there is none of this name.
[[nodiscard]] std::optional<std::size_t> block_named(BlockKind kind, const std::string& name);
/// How blocks are compiled where they are measured, and in proxies: of portable ones the compiler makes what it is told here.
inline constexpr const char* block_flags = "-O2";

/// What one event computes: `rates[i].second` repetitions of block `rates[i].first` each time that they are run, which is once
/// in `every` executions.
struct BlockEvent {
    std::vector<std::pair<std::size_t, double>> rates;
    std::string comment;
    std::uint64_t every = 1;
};

/// Whether teams of OpenMP threads compute events: then each thread has its own of what blocks write.
enum class Teams : std::uint8_t { none, some };

/// C99: the blocks that the events use, a function `event_N` for each event, which carries what is left of a repetition to the
/// next execution, and `compute_event(event_N)`. With teams also `compute_in_team(event_N, {event_N, ..., NULL})`, for what one
/// thread does alone and what each thread of a team does then.
///
/// Needs <stddef.h> and, before it, COLD, NOINLINE, `json`, `muted`, `worked` and `seconds` of the frame.
[[nodiscard]] std::string blocks_text(BlockKind kind, std::span<const BlockEvent> events,
                                      Teams teams = Teams::none);

/// A C99 program that prints what blocks do: `calibrator counts` under the Valgrind tool, `calibrator time`
/// without it. Lines: NAME QUANTITY...
[[nodiscard]] std::string calibrator_text(BlockKind kind);
/// Likewise one that prints what a team costs that does nothing, compiled with GCC's -fopenmp: in each thread's part, and around it.
[[nodiscard]] std::string team_calibrator_text(BlockKind kind);

}  // namespace refrain::proxy
