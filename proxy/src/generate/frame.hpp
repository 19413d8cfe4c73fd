#pragma once

#include "generate/call_text.hpp"
#include "generate/loops.hpp"

#include <string>

namespace refrain::proxy {

/// What a program has that runs on the ranks it finds.
struct SizedFrame {
    std::string helpers;  // functions of ranks and sizes
    std::string begin;    // statements: which ranks there may be, and memory
    bool has_sizes = false;
    std::int64_t size_default = 0;
};

/// What the frame of a program follows from.
struct Frame {
    std::uint32_t ranks = 0;
    std::size_t threads = 0;  // besides the first one
    std::vector<std::int64_t> slot_places;
    std::int64_t arena_bytes = 0;
    std::string blocks;  // blocks_text, or empty
    std::vector<Loop> loops;
    bool has_files = false;             // under --scratch
    bool checks = false;                // has --check
    const SizedFrame* sized = nullptr;  // null: the program has as many ranks as were recorded
};

/// "STEP_OF_9": how the program names a loop.
[[nodiscard]] std::string constant_of(const std::string& name);

/// The parts of a proxy that do not depend on what it does: variables, helpers, options, `main`.

/// Definitions that stand before the rules: only those that are used.
[[nodiscard]] std::string frame_before(const CallText& calls, const Frame& frame);
/// `main` and what it calls.
[[nodiscard]] std::string frame_behind(const Frame& frame);

}  // namespace refrain::proxy
