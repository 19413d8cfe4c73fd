/// Text for pictures as SVG.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace example {

/// As printf; up to 511 letters.
template <class... Values>
[[nodiscard]] std::string printed(const char* format, Values... values) {
    std::array<char, 512> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

/// For an element or an attribute in double quotes: a < b -> a &lt; b
[[nodiscard]] std::string escaped(const std::string& text);

}  // namespace example
