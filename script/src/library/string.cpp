/// `import string;` and `import io;`. Positions and lengths count characters of UTF-8, not bytes.

#include "library/modules.hpp"
#include "values/format.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <string_view>

namespace refrain::script {
namespace string_module {
namespace {

/// The part from character `begin` up to `end`, which counts from the end of the text if it is -1.
std::string_view part(const std::string& text, std::int64_t begin, std::int64_t end) {
    const std::size_t from = byte_of(text, std::max<std::int64_t>(begin, 0));
    const std::size_t to = end < 0 ? text.size() : byte_of(text, end);
    return std::string_view(text).substr(from, to > from ? to - from : 0);
}

Value substring(In in, Services&) {
    const std::string& text = in[0].string();
    const std::int64_t begin = std::max<std::int64_t>(in[1].integer(), 0);
    return std::string(part(text, begin, begin + std::max<std::int64_t>(in[2].integer(), 0)));
}
Value split(In in, Services&) {
    Table table;
    const std::string& text = in[0].string();
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(in[1].string(), begin), text.size());
        table.emplace(static_cast<std::int64_t>(table.size()), text.substr(begin, end - begin));
        begin = end + 1;
    }
    return Value::table(std::move(table));
}
Value formatted(In in, Services&) {
    return format_values(in[0].string(), in.subspan(1));
}
Value find(In in, Services&) {
    const std::string& text = in[0].string();
    const std::size_t found = part(text, in[2].integer(), in[3].integer()).find(in[1].string());
    if (found == std::string_view::npos) return std::int64_t{-1};
    const std::size_t begin = byte_of(text, std::max<std::int64_t>(in[2].integer(), 0));
    return character_count(std::string_view(text).substr(0, begin + found));
}
Value count(In in, Services&) {
    const std::string_view within = part(in[0].string(), in[2].integer(), in[3].integer());
    const std::string& wanted = in[1].string();
    if (wanted.empty()) throw ScriptError("string_count: the text to count is empty");
    std::int64_t times = 0;
    for (std::size_t at = within.find(wanted); at != std::string_view::npos;
         at = within.find(wanted, at + wanted.size()))
        ++times;
    return times;
}
Value is_int(In in, Services&) {
    try {
        static_cast<void>(parse_integer(in[0].string()));
        return Value::boolean(true);
    } catch (const ScriptError&) {
        return Value::boolean(false);
    }
}
template <bool All>
Value replaced(In in, Services&) {
    const std::string& text = in[0].string();
    const std::string& wanted = in[1].string();
    if (wanted.empty()) throw ScriptError("replace: the text to replace is empty");
    std::size_t at = byte_of(text, in[3].integer());
    const bool has_end = All && in[4].integer() >= 0;
    const std::size_t end = has_end ? byte_of(text, in[4].integer()) : text.size();
    std::string made = text.substr(0, at);
    for (;;) {
        const std::size_t found = text.find(wanted, at);
        if (found == std::string::npos || found + wanted.size() > end) break;
        made += text.substr(at, found - at) + in[2].string();
        at = found + wanted.size();
        if (!All) break;
    }
    return made + text.substr(at);
}
Value hash(In in, Services&) {
    std::uint64_t h = 14695981039346656037U;  // FNV-1a, positive
    for (const char letter : in[0].string())
        h = (h ^ static_cast<unsigned char>(letter)) * 1099511628211U;
    return static_cast<std::int64_t>(h >> 1);
}
Value joined(In in, Services&) {
    std::vector<std::string> texts;
    for (const auto& [key, each] : in[0].entries()) texts.push_back(text_of(each));
    return base::joined(texts, in.size() > 1 ? in[1].string() : ",");
}
template <int (*Change)(int)>
Value changed(In in, Services&) {
    return with_each(in[0].string(), Change);
}

/// printf ends its line, unless TURBINE_PRINTF_NL=0.
Value print(In in, Services& services) {
    const char* const end = setting("TURBINE_PRINTF_NL") == "0" ? "" : "\n";
    services.print(format_values(in[0].string(), in.subspan(1)) + end);
    return Void{};
}

constexpr Builtin of_io[] = {
    {"(void o) printf(string fmt, int|float|string|boolean... args)", print, false},
};
constexpr Builtin all[] = {
    {"(int n) strlen(string s)", of([](const std::string& s) { return character_count(s); })},
    {"(string o) substring(string s, int start, int length)", substring},
    {"(string t[]) split(string s, string delimiter=\" \")", split},
    {"(string o) sprintf(string fmt, int|float|string|boolean... args)", formatted},
    {"(int o) find(string s, string substring, int start, int end)", find},
    {"(int o) string_count(string s, string substring, int start, int end)", count},
    {"(boolean o) isint(string s)", is_int},
    {"(string o) replace(string s, string substring, string by, int start)", replaced<false>},
    {"(string o) replaceAll|replace_all(string s, string substring, string by, int start=0, int "
     "end=-1)",
     replaced<true>},
    {"(string o) trim(string s)", of([](const std::string& s) { return std::string(trimmed(s)); })},
    {"(int h) hash(string s)", hash},
    {"(string s) string_join|join(string A[], string separator)", joined},
    {"(string s) string_from_floats(float A[])", joined},
    {"(string o) toUpper(string s)", changed<std::toupper>},
    {"(string o) toLower(string s)", changed<std::tolower>},
};

}  // namespace
}  // namespace string_module

const std::span<const Builtin> string_functions = string_module::all;
const std::span<const Builtin> io_functions = string_module::of_io;

}  // namespace refrain::script
