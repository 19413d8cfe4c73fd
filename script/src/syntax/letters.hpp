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
/// Of a character of UTF-8: no byte but the first.
[[nodiscard]] constexpr bool continues_character(char letter) noexcept {
    return (static_cast<unsigned char>(letter) & 0xc0U) == 0x80U;
}

}  // namespace refrain::script
