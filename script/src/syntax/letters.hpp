/// What names and numbers are made of, whatever the locale is.
#pragma once

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

}  // namespace refrain::script
