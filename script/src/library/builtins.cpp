/// What every script has without an import.

#include "library/modules.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace refrain::script::basic_module {
namespace {

Value trace(In in, Services& services) {
    std::string line = "trace: ";
    for (const Value& each : in) line += (&each == in.data() ? "" : ",") + text_of(each);
    services.print(line + "\n");
    return Void{};
}
Value sleep_trace(In in, Services& services) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::max(0.0, in[0].floating())));
    return trace(in.subspan(1), services);
}
template <bool IsPath>
Value joined(In in, Services&) {
    std::string text;
    for (const Value& each : in) text += (IsPath && &each != in.data() ? "/" : "") + text_of(each);
    return text;
}
Value text_to_truth(In in, Services&) {
    const std::string& text = in[0].string();
    if (text == "true" || text == "1") return Value::boolean(true);
    if (text == "false" || text == "0") return Value::boolean(false);
    throw ScriptError("string2boolean: '" + text + "' is neither true nor false");
}
Value float_to_int(In in, Services&) {
    if (const auto floor = int_of(std::floor(in[0].floating()))) return *floor;
    throw ScriptError("float2int: " + text_of(in[0]) + " does not fit into an int");
}
Value range(In in, Services&) {
    Table table;
    const std::int64_t step = in.size() > 2 ? in[2].integer() : 1;
    if (step <= 0) throw ScriptError("the step of a range is ", step, "; it must be positive");
    std::int64_t i = in[0].integer();
    while (i <= in[1].integer()) {
        table.emplace(static_cast<std::int64_t>(table.size()), i);
        if (__builtin_add_overflow(i, step, &i)) break;
    }
    return Value::table(std::move(table));
}
Value range_float(In in, Services&) {
    Table table;
    const double step = in.size() > 2 ? in[2].floating() : 1.0;
    if (!(step > 0))
        throw ScriptError("the step of a range is " + text_of(step) + "; it must be positive");
    for (std::int64_t i = 0;; ++i) {
        const double each = in[0].floating() + static_cast<double>(i) * step;
        if (!(each <= in[1].floating())) break;
        table.emplace(i, each);
    }
    return Value::table(std::move(table));
}
Value array_repr(In in, Services&) {
    Table made;
    for (const auto& [key, each] : in[0].entries()) made.emplace(key, repr_of(each));
    return Value::table(std::move(made));
}

constexpr Builtin all[] = {
    {"(void o) trace(int|float|string|boolean... args)", trace, false, false, true},
    {"(void o) sleep_trace(float seconds, int|float|string|boolean... args)", sleep_trace, false,
     true},
    total("(void o) make_void|makeVoid|propagate(int|float|string|boolean|void|file... v)",
          of([] { return Void{}; })),
    total("(string o) strcat(string|int|float... args)", joined<false>),
    total("(string o) dircat(string... args)", joined<true>),
    {"(int n) length(string s)", of([](const std::string& text) { return character_count(text); }),
     true, false, true},
    total("(boolean o) xor(boolean a, boolean b)", of(std::not_equal_to<bool>())),
    total("(int o) max_integer|max(int a, int b)",
          of([](std::int64_t a, std::int64_t b) { return std::max(a, b); })),
    total("(float o) max|max_float(float a, float b)",
          of([](double a, double b) { return std::max(a, b); })),
    total("(int o) min_integer|min(int a, int b)",
          of([](std::int64_t a, std::int64_t b) { return std::min(a, b); })),
    total("(float o) min|min_float(float a, float b)",
          of([](double a, double b) { return std::min(a, b); })),
    total("(float o) pow|pow_float|pow_integer(float base, float exponent)",
          of([](double base, double exponent) { return std::pow(base, exponent); })),
    total("(string o) int2string|fromint|toString(int i)",
          of([](const Value& is) { return text_of(is); })),
    total("(string o) float2string|fromfloat|toString(float i)",
          of([](const Value& is) { return text_of(is); })),
    total("(string o) toString|boolean2string|bool2string(boolean i)",
          of([](bool is) { return is ? "true" : "false"; })),
    {"(int o) bool2int|boolean2int(boolean i)", of([](bool is) { return std::int64_t{is}; })},
    {"(int o) string2int|parseInt|toint(string s, int base=10)",
     of([](const std::string& text, std::int64_t base) { return parse_integer(text, base); })},
    {"(float o) string2float|tofloat|parseFloat(string s)",
     of([](const std::string& text) { return parse_float(text); })},
    {"(boolean o) string2boolean|string2bool(string s)", text_to_truth},
    total("(float o) int2float|itof|toFloat(int i)", of([](double is) { return is; })),
    {"(int o) float2int|toInt|ftoi(float i)", float_to_int},
    {"(int o[]) range(int start, int end)", range},
    {"(int o[]) range_step(int start, int end, int step)", range},
    {"(float o[]) range_float(float start, float end)", range_float},
    {"(float o[]) range_float_step(float start, float end, float step)", range_float},
    {"<T> (string o) repr(T value)", of([](const Value& is) { return repr_of(is); })},
    {"<T> (string o[]) array_repr(T A[])", array_repr},
    {"(int o) ternary(boolean b, int i, int j)",
     of([](bool is, const Value& yes, const Value& no) { return is ? yes : no; })},
    {"(int o) zero(void v)", of([] { return std::int64_t{0}; })},
    {"(url o) input_url(string name)",
     of([](const std::string& name) { return Value::file(name); })},
    {"(int n) turbine_engines()", of([] { return std::int64_t{0}; })},
    {"(int n) turbine_workers()", of([](Services& run) { return std::int64_t{run.workers()}; })},
    {"(int n) adlb_servers()", of([](Services& run) { return std::int64_t{run.servers()}; })},
};

}  // namespace
}  // namespace refrain::script::basic_module

const refrain::script::Builtins refrain::script::basic_functions = basic_module::all;
