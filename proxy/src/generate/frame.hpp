#pragma once

#include "generate/call_text.hpp"

#include <string>

namespace refrain::proxy {

/// A loop that options change: common_loops, with the name that it has in the program.
struct NamedLoop {
    std::string name;
    std::string contents;  // "8 Isend, Waitall"
    std::uint64_t times = 0;
    bool top = false;  // its time is told apart; those stand before the others
};

/// What the frame of a program follows from.
struct Frame {
    std::uint32_t ranks = 0;
    std::vector<std::int64_t> slot_places;
    std::int64_t arena_bytes = 0;
    std::string blocks;  // blocks_text, or empty
    std::vector<NamedLoop> loops;
};

/// "STEP_OF_9": how the program names a loop.
[[nodiscard]] std::string constant_of(const std::string& name);

/// The parts of a proxy that do not depend on what it does: variables, helpers, options, `main`.

/// Definitions that stand before the rules: only those that are used.
[[nodiscard]] std::string frame_before(const CallText& calls, const Frame& frame);
/// `main` and what it calls.
[[nodiscard]] std::string frame_behind(const Frame& frame);

}  // namespace refrain::proxy
