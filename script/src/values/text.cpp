#include "values/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>

namespace refrain::script {
namespace {

std::string braced(const Value& value) {
    const std::string text = text_of(value);
    const bool plain = !text.empty() && text.find_first_of(" \t\n{}\"$[];\\") == std::string::npos;
    return plain && !value.is<Value::TablePointer>() ? text : "{" + text + "}";
}

/// Letters with an escape of their own, and what stands behind the backslash.
constexpr std::string_view escaped = "\\\n\t\r";
constexpr std::string_view escapes = "\\ntr";

}  // namespace

std::string float_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
    if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
    std::array<char, 40> room{};
    const auto end =
        std::to_chars(room.data(), room.data() + room.size(), value, std::chars_format::scientific);
    const std::string all(room.data(), end.ptr);  // "-1.25e-07"
    const std::size_t e = all.find('e');
    const int exponent = std::atoi(all.c_str() + e + 1);
    if (exponent < -4 || exponent > 16)
        return all.substr(0, e + 2) + std::to_string(std::abs(exponent));
    std::string digits = all.substr(0, e);
    std::erase_if(digits, [](char letter) { return letter == '.' || letter == '-'; });
    const std::size_t point = exponent < 0 ? 1 : static_cast<std::size_t>(exponent) + 1;
    if (exponent < 0) digits.insert(0, static_cast<std::size_t>(-exponent), '0');
    if (digits.size() <= point) digits.resize(point + 1, '0');
    return (value < 0 ? "-" : "") + digits.insert(point, ".");
}

std::int64_t character_count(std::string_view text) {
    return std::ranges::count_if(text, std::not_fn(continues_character));
}
std::size_t byte_of(std::string_view text, std::int64_t character) {
    std::int64_t seen = -1;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (!continues_character(text[i]) && ++seen == character) return i;
    return text.size();
}

std::string text_of(const Value& value) {
    if (value.is<std::int64_t>()) return std::to_string(value.integer());
    if (value.is<double>()) return float_text(value.floating());
    if (value.is<bool>()) return value.truth() ? "1" : "0";
    if (value.is<std::string>()) return value.string();
    if (value.is<Value::File>()) return value.path();
    if (value.is<DatumId>()) return value.id().text();
    if (value.is<Value::TablePointer>()) return repr_of(value);
    if (value.is<Blob>()) return "blob of " + std::to_string(value.get<Blob>().bytes->size());
    return "";
}

std::string repr_of(const Value& value, bool values_only) {
    if (!value.is<Value::TablePointer>()) return text_of(value);
    std::string text;
    for (const auto& [key, element] : value.entries()) {
        if (!text.empty()) text += ' ';
        if (!values_only) text += braced(key) + ' ';
        text += braced(element);
    }
    return text;
}

std::string with_each(std::string text, int (*changed)(int)) {
    for (char& each : text) each = static_cast<char>(changed(static_cast<unsigned char>(each)));
    return text;
}

std::string folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error)
        throw ScriptError("cannot make the folder '" + folder.string() + "': " + error.message());
}

std::string in_quotes(std::string_view text, char quote) {
    std::string all(1, quote);
    for (const char letter : text) {
        const std::size_t escape = escaped.find(letter);
        if (letter == quote) {
            all += {'\\', quote};
        } else if (escape != std::string_view::npos) {
            all += {'\\', escapes[escape]};
        } else if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) {
            constexpr const char* digits = "0123456789abcdef";
            all += {'\\', 'x', digits[(letter >> 4) & 15], digits[letter & 15]};
        } else {
            all += letter;
        }
    }
    return all + quote;
}

std::vector<std::string> quoted_words(const std::string& text, const char* quotes) {
    std::vector<std::string> words;
    bool in_word = false;
    char end = '\0';  // of the quote
    for (const char letter : text) {
        const bool is_blank = end == '\0' && std::strchr(" \t\n", letter) != nullptr;
        if (!is_blank && !std::exchange(in_word, true)) words.emplace_back();
        if (letter == end)
            end = '\0';
        else if (end == '\0' && std::strchr(quotes, letter) != nullptr)
            end = letter == '{' ? '}' : letter;
        else if (is_blank)
            in_word = false;
        else
            words.back() += letter;
    }
    if (end != '\0') throw ScriptError("'" + text + "' leaves a quote open");
    return words;
}

}  // namespace refrain::script
