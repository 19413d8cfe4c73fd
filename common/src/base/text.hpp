#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace refrain::base {

/// What printf prints.
template <class... Values>
[[nodiscard]] std::string printed(const char* format, Values... values) {
    std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, values...)) + 1, 0);
    std::snprintf(text.data(), text.size(), format, values...);
    text.pop_back();
    return text;
}
/// "120 µs", "3.5 ms", "2.50 s"
[[nodiscard]] std::string duration_text(double seconds);

/// What the file holds; nothing if it cannot be read (errno says why) or is a folder.
[[nodiscard]] std::optional<std::string> content_of(const std::string& path);

/// Without the blanks around it.
[[nodiscard]] std::string_view trimmed(std::string_view text,
                                       std::string_view blanks = " \t\n\r\v\f");

/// What stands between the separators, but for what is empty.
///
///     parts_of("a  b,c", " ,") -> a, b, c
[[nodiscard]] std::vector<std::string> parts_of(std::string_view text, std::string_view separators);

/// "a, b, c"
template <class Texts = std::vector<std::string>>
[[nodiscard]] std::string joined(const Texts& texts, std::string_view separator = ", ") {
    std::string all;
    bool first = true;
    for (const auto& each : texts) {
        if (!std::exchange(first, false)) all += separator;
        all += each;
    }
    return all;
}

/// A variable of the environment; `otherwise` if it is not set, or empty.
[[nodiscard]] std::string setting(const std::string& name, const std::string& otherwise = {});

/// The number that the whole text is; nothing if it is none, or does not fit.
template <class Number, class... Base>
[[nodiscard]] std::optional<Number> read_number(std::string_view text, Base... base) {
    Number made{};
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, made, base...);
    return read.ptr == end && read.ec == std::errc{} ? std::optional(made) : std::nullopt;
}

/// A number of bytes, at most 10^18; nothing if the text is none. `kilo` is what "K" means: 1,000 or 1,024.
///
///     read_bytes("1.5KB", kilo) -> 1500    read_bytes("2KiB", kilo) -> 2048    read_bytes("4K", 1024) -> 4096
[[nodiscard]] std::optional<std::uint64_t> read_bytes(std::string_view text, unsigned kilo);

}  // namespace refrain::base
