/// The ways in which a program is run; its result must be the same in all of them.
#pragma once

#include "refrain/options.hpp"

#include <array>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "property/generator.hpp"

namespace refrain::property {

enum class Tracing : std::uint8_t { none, manual, automatic, both };

/// What most statements of a mode's programs are about (GeneratorLimits).
enum class Kind : std::uint8_t {
    usual,
    long_loops,  // of hundreds of turns, which are compiled
    edges,       // loops that begin and end anywhere
    resizes,     // regions whose sizes change between turns
    rows,        // long loops of index launches that go into lanes, and what ends such a row
    long_turns,  // the same, and a turn is often longer than the window
    broad,       // many points, arguments and ranks of pointers; folds that throw
    blocks,      // regions of many pages
    starved,     // there is too little memory for the regions of most programs
};

struct Mode {
    const char* name;
    Tracing tracing = Tracing::none;
    unsigned workers = 1;
    Recogniser recogniser = Recogniser::mined;
    bool synchronous_mining = false;
    unsigned token_bits = 128;
    std::uint64_t verify = 0;
    bool deterministic_reductions = false;
    bool graph = false;  // also compare the dependences found
    Analysis analysis = Analysis::walk;
    bool watched = false;      // explain, report, timeline and streams are on
    bool reported = false;     // explain is on, or a report, a timeline or both besides; no streams
    bool two_at_once = false;  // a second runtime runs the same program in another thread
    Kind kind = Kind::usual;
    LaneUse lanes = LaneUse::automatic;
    bool typed = false;    // launches go through the public face where they have a usual shape
    bool untyped = false;  // launches are of kinds that are made at run time, and rarely end

    [[nodiscard]] bool obeys_trace_marks() const {
        return tracing == Tracing::manual || tracing == Tracing::both;
    }
    /// Whether launches run inside of their calls, whatever they take.
    [[nodiscard]] bool is_direct() const { return workers == 1 && lanes == LaneUse::all; }
    [[nodiscard]] bool takes_turns() const { return lanes == LaneUse::turns; }
    friend void PrintTo(const Mode& mode, std::ostream* out) { *out << mode.name; }
};

[[nodiscard]] std::span<const Mode> all_modes();
/// The mode of that name, or null.
[[nodiscard]] const Mode* find_mode(std::string_view name);

/// The options of one run: those of the mode; the others chosen by the seed, such that windows,
/// histories and budgets are often too small.
[[nodiscard]] Options options_for(const Mode& mode, std::uint64_t seed);
/// The files that the runs of this process write where they are watched.
[[nodiscard]] std::array<std::string, 3> files_of_watched_runs();
/// The limits of programs for that mode.
[[nodiscard]] GeneratorLimits limits_for(const Mode& mode);

}  // namespace refrain::property
