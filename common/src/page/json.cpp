#include "page/json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace refrain::page {
namespace {

/// The length of the UTF-8 sequence at the beginning of `text`; 0 if there is no valid one.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) < 0x80         ? 1
                               : byte(0) >> 5 == 0x06 ? 2
                               : byte(0) >> 4 == 0x0e ? 3
                               : byte(0) >> 3 == 0x1e ? 4
                                                      : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if (byte(i) >> 6 != 0x02) return 0;
    return length;
}

std::uint32_t code_point(std::string_view sequence) {
    if (sequence.size() == 1) return static_cast<unsigned char>(sequence[0]);
    std::uint32_t code = static_cast<unsigned char>(sequence[0]) & (0x7fU >> sequence.size());
    for (std::size_t i = 1; i < sequence.size(); ++i)
        code = code << 6 | (static_cast<unsigned char>(sequence[i]) & 0x3fU);
    return code;
}

/// Whether the letter is written without an escape.
constexpr bool is_plain(unsigned char letter) {
    return letter >= 0x20 && letter < 0x7f && letter != '"' && letter != '\\' && letter != '<' &&
           letter != '>' && letter != '&';
}

constexpr auto plain_letters = [] {
    std::array<bool, 256> plain{};
    for (unsigned letter = 0; letter < plain.size(); ++letter)
        plain[letter] = is_plain(static_cast<unsigned char>(letter));
    return plain;
}();

/// How many letters at the beginning need no escape.
std::size_t plain_prefix(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && plain_letters[static_cast<unsigned char>(text[length])])
        ++length;
    return length;
}

std::string escaped(std::uint32_t unit) {
    std::array<char, 8> text;
    std::snprintf(text.data(), text.size(), "\\u%04x", unit & 0xffffU);
    return text.data();
}

}  // namespace

JsonWriter& JsonWriter::key(std::string_view name) {
    separate();
    quote(name);
    text_ += ':';
    first_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    separate();
    quote(text);
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    separate();
    if (!std::isfinite(number)) {
        text_ += "null";
        return *this;
    }
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                   std::chars_format::general, 12);
    text_.append(digits.data(), end.ptr);
    return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    text_ += bracket;
    first_ = true;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
}

void JsonWriter::separate() {
    if (!first_) text_ += ',';
    first_ = false;
}

void JsonWriter::quote(std::string_view text) {
    text_ += '"';
    for (;;) {
        const std::size_t plain = plain_prefix(text);
        text_.append(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty()) break;
        text.remove_prefix(escape(text));
    }
    text_ += '"';
}

/// Writes the first UTF-8 sequence of the text as an escape, an invalid byte as a question mark.
/// Returns how many bytes it took.
std::size_t JsonWriter::escape(std::string_view text) {
    const std::size_t length = sequence_length(text);
    if (length == 0) {
        text_ += '?';
        return 1;
    }
    const std::uint32_t code = code_point(text.substr(0, length));
    if (code < 0x10000) {
        text_ += escaped(code);
    } else {
        text_ += escaped(0xd800 + ((code - 0x10000) >> 10));
        text_ += escaped(0xdc00 + ((code - 0x10000) & 0x3ff));
    }
    return length;
}

}  // namespace refrain::page
