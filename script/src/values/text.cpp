#include "values/text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace refrain::script {
namespace {

/// The digits of the shortest decimal that reads back, and its exponent: value = 0.DIGITS * 10^exponent.
struct Decimal {
    bool negative = false;
    std::string digits;
    int exponent = 0;
};

Decimal shortest(double value) {
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), std::fabs(value),
                                   std::chars_format::scientific);
    std::string_view all(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
    Decimal made{.negative = std::signbit(value), .digits = {}, .exponent = 0};
    const std::size_t e = all.find('e');
    for (const char letter : all.substr(0, e))
        if (letter != '.') made.digits += letter;
    const char* exponent = all.data() + e + (all[e + 1] == '+' ? 2 : 1);
    std::from_chars(exponent, all.data() + all.size(), made.exponent);
    ++made.exponent;
    while (made.digits.size() > 1 && made.digits.back() == '0') made.digits.pop_back();
    return made;
}

std::string with_exponent(const Decimal& decimal) {
    std::string text = decimal.digits.substr(0, 1);
    if (decimal.digits.size() > 1) text += "." + decimal.digits.substr(1);
    const int exponent = decimal.exponent - 1;
    return text + "e" + (exponent < 0 ? "-" : "+") + std::to_string(std::abs(exponent));
}

std::string without_exponent(const Decimal& decimal) {
    const int point = decimal.exponent;
    const int count = static_cast<int>(decimal.digits.size());
    if (point <= 0)
        return "0." + std::string(static_cast<std::size_t>(-point), '0') + decimal.digits;
    if (point >= count)
        return decimal.digits + std::string(static_cast<std::size_t>(point - count), '0') + ".0";
    return decimal.digits.substr(0, static_cast<std::size_t>(point)) + "." +
           decimal.digits.substr(static_cast<std::size_t>(point));
}

bool needs_braces(const std::string& text) {
    return text.empty() || text.find_first_of(" \t\n{}\"$[];\\") != std::string::npos;
}

std::string braced(const Value& value) {
    const std::string text = text_of(value);
    return needs_braces(text) || value.is<Value::TablePointer>() ? "{" + text + "}" : text;
}

/// Letters with an escape of their own, and what stands behind the backslash.
constexpr std::string_view escaped = "\\\n\t\r";
constexpr std::string_view escapes = "\\ntr";

}  // namespace

std::string float_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
    if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
    const Decimal decimal = shortest(value);
    const bool scientific = decimal.exponent < -3 || decimal.exponent > 17;
    return (decimal.negative ? "-" : "") +
           (scientific ? with_exponent(decimal) : without_exponent(decimal));
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

std::string joined(const std::vector<std::string>& texts, const std::string& separator) {
    std::string all;
    for (const std::string& each : texts) all += (&each == texts.data() ? "" : separator) + each;
    return all;
}

std::string setting(const std::string& name, const std::string& otherwise) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr || *value == '\0' ? otherwise : value;
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

}  // namespace refrain::script
