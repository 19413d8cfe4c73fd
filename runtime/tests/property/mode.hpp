/// The ways in which a program is run; its result must be the same in all of them.
#pragma once

#include "refrain/options.hpp"

#include <cstdint>
#include <ostream>
#include <span>
#include <string_view>

#include "property/generator.hpp"

namespace refrain::property {

enum class Tracing : std::uint8_t { none, manual, automatic, both };

struct Mode {
    const char* name;
    Tracing tracing = Tracing::none;
    unsigned workers = 1;
    Recogniser recogniser = Recogniser::mined;
    bool synchronous_mining = false;
    unsigned token_bits = 128;
    std::uint64_t verify = 0;
    bool deterministic_reductions = false;
    bool graph = false;  // compare the dependences found, too
    bool warm = false;   // begins with what an earlier run of the program or of another one saved

    [[nodiscard]] bool obeys_trace_marks() const {
        return tracing == Tracing::manual || tracing == Tracing::both;
    }
    friend void PrintTo(const Mode& mode, std::ostream* out) { *out << mode.name; }
};

[[nodiscard]] std::span<const Mode> all_modes();
/// Null if there is none of that name.
[[nodiscard]] const Mode* find_mode(std::string_view name);

/// Options of one run: what the mode says, and the rest drawn from the seed, squeezed so that
/// windows, histories and budgets are often too small.
[[nodiscard]] Options options_for(const Mode& mode, std::uint64_t seed);
/// What programs of that mode look like.
[[nodiscard]] GeneratorLimits limits_for(const Mode& mode);

}  // namespace refrain::property
