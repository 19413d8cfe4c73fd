/// Formats numbers for messages, so that numbers that differ in the last bit look different.
///
///     number_text(0.1)          -> "0.1"
///     number_text(0.1 + 0.2)    -> "0.30000000000000004"
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace example {

/// The shortest text that parses to the same number.
[[nodiscard]] inline std::string number_text(double number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return {text.data(), end};
}

}  // namespace example
