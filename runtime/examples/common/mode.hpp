/// The three modes of an example: one program, one runtime per mode.
#pragma once

#include "refrain/options.hpp"

#include <array>

namespace example {

enum class Mode {
    untraced,   ///< every operation is analysed
    manual,     ///< the program marks its loop: begin_trace, end_trace
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

/// Returns `options` adjusted for this mode. Manual traces need no option: they cover exactly the
/// marked loop.
[[nodiscard]] inline refrain::Options options_for(Mode mode, refrain::Options options) {
    options.tracing.automatic = mode == Mode::automatic;
    return options;
}

}  // namespace example
