/// The three ways in which an example runs: one program, one runtime per way.
#pragma once

#include "refrain/options.hpp"

#include <array>

namespace example {

enum class Mode {
    untraced,   ///< every operation is analysed
    manual,     ///< the program says where its loop begins and ends: begin_trace, end_trace
    automatic,  ///< the runtime finds the loop by itself
};

inline constexpr std::array all_modes{Mode::untraced, Mode::manual, Mode::automatic};

[[nodiscard]] constexpr const char* to_string(Mode mode) noexcept {
    switch (mode) {
        case Mode::untraced:
            return "untraced";
        case Mode::manual:
            return "manual";
        case Mode::automatic:
            return "automatic";
    }
    return "";
}

/// The same options, for this mode. Manual traces need none: a program that marks its loop is
/// traced there and nowhere else.
[[nodiscard]] inline refrain::Options options_for(Mode mode, refrain::Options options) {
    options.tracing.automatic = mode == Mode::automatic;
    return options;
}

}  // namespace example
