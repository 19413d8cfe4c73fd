#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

namespace refrain::proxy {

/// A piece of computation that no compiler changes: a loop over `copies` copies of one body, in assembly
/// (x86-64).
struct Block {
    std::string name;  // "load_64"
    std::string kind;  // "load"
    int copies = 0;
};

inline constexpr std::size_t block_sizes = 3;

/// What the calibrator repeats to learn what shares cost: each of the first bodies in its smallest size so often.
inline constexpr std::array<double, 4> share_rates = {20.37, 24.61, 28.83, 32.19};

/// All blocks, those of one body together, in the order in which an event runs them. Most bodies have three sizes: a hot event
/// has one branch in hundreds of instructions, so that a loop's own must lie below that; a rare event needs small ones, or
/// rounding loses it.
[[nodiscard]] const std::vector<Block>& all_blocks();
/// The index of a block in all_blocks(); its size if there is none of this name.
[[nodiscard]] std::size_t block_named(const std::string& name);

/// What one event computes: `rates[i].second` repetitions of block `rates[i].first` per execution.
struct BlockEvent {
    std::vector<std::pair<std::size_t, double>> rates;
    std::string comment;
};

/// C99: the blocks that the events use, a function `event_N` for each event, which carries what is left of a repetition to the
/// next execution, and `compute_event(event_N)`.
///
/// Needs <stddef.h> and, before it, `json`, `muted`, `worked` and `seconds` of the frame.
[[nodiscard]] std::string blocks_text(std::span<const BlockEvent> events);

/// A C99 program that prints what blocks do: `calibrator counts` under the Valgrind tool, `calibrator time`
/// without it. Lines: NAME QUANTITY...
[[nodiscard]] std::string calibrator_text();

}  // namespace refrain::proxy
