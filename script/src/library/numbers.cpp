#include "library/modules.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <charconv>
#include <string_view>

namespace refrain::script {
namespace {

template <class Number, class Parse>
Number parsed(const std::string& text, const char* what, Parse parse) {
    std::string_view digits = trimmed(text, " \t\n\r");
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    Number value{};
    const std::from_chars_result end = parse(digits.data(), digits.data() + digits.size(), value);
    if (end.ec == std::errc::result_out_of_range)
        throw ScriptError("'" + text + "' does not fit into " + what);
    if (digits.empty() || end.ec != std::errc() || end.ptr != digits.data() + digits.size())
        throw ScriptError("'" + text + "' is not " + what);
    return value;
}

}  // namespace

std::int64_t parse_integer(const std::string& text, std::int64_t base) {
    if (base < 2 || base > 36)
        throw ScriptError("the base of a number is ", base, "; it must be from 2 to 36");
    return parsed<std::int64_t>(
        text, "an int", [base](const char* begin, const char* end, std::int64_t& value) {
            return std::from_chars(begin, end, value, static_cast<int>(base));
        });
}

double parse_float(const std::string& text) {
    return parsed<double>(text, "a float", [](const char* begin, const char* end, double& value) {
        return std::from_chars(begin, end, value);
    });
}

std::optional<std::int64_t> int_of(double whole) {
    if (!(whole >= -0x1p63 && whole < 0x1p63)) return std::nullopt;
    return static_cast<std::int64_t>(whole);
}

}  // namespace refrain::script
