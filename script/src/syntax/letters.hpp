/// What names and numbers are made of, whatever the locale is.
#pragma once

#include "values/position.hpp"

#include <string_view>

namespace refrain::script {

[[nodiscard]] constexpr bool begins_name(char letter) noexcept {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}
[[nodiscard]] constexpr bool is_digit(char letter) noexcept {
    return letter >= '0' && letter <= '9';
}
[[nodiscard]] constexpr bool in_name(char letter) noexcept {
    return begins_name(letter) || is_digit(letter);
}

/// A place in the text of a file, which stays as it is meanwhile.
struct Cursor {
    std::string_view text;
    std::uint32_t file = 0;
    std::size_t at = 0;
    std::uint32_t line = 1;
    std::size_t line_begin = 0;

    [[nodiscard]] bool over() const { return at >= text.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at + ahead < text.size() ? text[at + ahead] : '\0';
    }
    [[nodiscard]] bool sees(std::string_view what) const {
        return text.substr(at, what.size()) == what;
    }
    /// A string of several lines begins: the mark ends its line.
    [[nodiscard]] bool opens_block(std::string_view mark) const {
        if (!sees(mark)) return false;
        std::size_t i = mark.size();
        while (peek(i) == ' ' || peek(i) == '\t' || peek(i) == '\r') ++i;
        return at + i == text.size() || peek(i) == '\n';
    }
    [[nodiscard]] Position here() const {
        return {file, line, static_cast<std::uint32_t>(at - line_begin) + 1};
    }
    char take() {
        const char letter = text[at++];
        if (letter == '\n') {
            ++line;
            line_begin = at;
        }
        return letter;
    }
};

}  // namespace refrain::script
