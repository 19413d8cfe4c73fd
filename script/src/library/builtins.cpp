/// What every script has without an import.

#include "library/modules.hpp"
#include "library/numbers.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace refrain::script {
namespace basic_module {
namespace {

using In = Builtin::Arguments;

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
Value nothing(In, Services&) {
    return Void{};
}
template <bool IsPath>
Value joined(In in, Services&) {
    std::string text;
    for (const Value& each : in) text += (IsPath && &each != in.data() ? "/" : "") + text_of(each);
    return text;
}
Value length(In in, Services&) {
    return character_count(in[0].string());
}
Value exclusive_or(In in, Services&) {
    return Value::boolean(in[0].truth() != in[1].truth());
}
template <const std::int64_t& (*Of)(const std::int64_t&, const std::int64_t&)>
Value of_ints(In in, Services&) {
    return Of(in[0].integer(), in[1].integer());
}
template <const double& (*Of)(const double&, const double&)>
Value of_floats(In in, Services&) {
    return Of(in[0].floating(), in[1].floating());
}
Value power(In in, Services&) {
    return std::pow(in[0].floating(), in[1].floating());
}
Value to_text(In in, Services&) {
    return text_of(in[0]);
}
Value truth_to_text(In in, Services&) {
    return in[0].truth() ? "true" : "false";
}
Value truth_to_int(In in, Services&) {
    return std::int64_t{in[0].truth()};
}
Value text_to_int(In in, Services&) {
    return parse_integer(in[0].string(), in.size() > 1 ? in[1].integer() : 10);
}
Value text_to_float(In in, Services&) {
    return parse_float(in[0].string());
}
Value text_to_truth(In in, Services&) {
    const std::string& text = in[0].string();
    if (text == "true" || text == "1") return Value::boolean(true);
    if (text == "false" || text == "0") return Value::boolean(false);
    throw ScriptError("string2boolean: '" + text + "' is neither true nor false");
}
Value int_to_float(In in, Services&) {
    return in[0].floating();
}
Value float_to_int(In in, Services&) {
    if (const auto floor = int_of(std::floor(in[0].floating()))) return *floor;
    throw ScriptError("float2int: " + text_of(in[0]) + " does not fit into an int");
}
Value range(In in, Services&) {
    Table table;
    const std::int64_t step = in.size() > 2 ? in[2].integer() : 1;
    if (step <= 0)
        throw ScriptError("the step of a range is " + std::to_string(step) +
                          "; it must be positive");
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
Value represented(In in, Services&) {
    return repr_of(in[0]);
}
Value choice(In in, Services&) {
    return in[0].truth() ? in[1] : in[2];
}
Value zero(In, Services&) {
    return std::int64_t{0};
}
Value workers(In, Services& services) {
    return static_cast<std::int64_t>(services.workers());
}
Value servers(In, Services& services) {
    return static_cast<std::int64_t>(services.servers());
}

/// What it names need not be a file here.
Value input_url(In in, Services&) {
    return Value::file(in[0].string());
}

constexpr Builtin all[] = {
    {"(void o) trace(int|float|string|boolean... args)", trace, false, false, true},
    {"(void o) sleep_trace(float seconds, int|float|string|boolean... args)", sleep_trace, false,
     true},
    {"(void o) make_void(int|float|string|boolean|void|file... v)", nothing, true, false, true},
    {"(void o) makeVoid(int|float|string|boolean|void|file... v)", nothing, true, false, true},
    {"(void o) propagate(int|float|string|boolean|void|file... v)", nothing, true, false, true},
    {"(string o) strcat(string|int|float... args)", joined<false>, true, false, true},
    {"(string o) dircat(string... args)", joined<true>, true, false, true},
    {"(int n) length(string s)", length, true, false, true},
    {"(boolean o) xor(boolean a, boolean b)", exclusive_or, true, false, true},
    {"(int o) max_integer(int a, int b)", of_ints<std::max>, true, false, true},
    {"(int o) max(int a, int b)", of_ints<std::max>, true, false, true},
    {"(float o) max(float a, float b)", of_floats<std::max>, true, false, true},
    {"(float o) max_float(float a, float b)", of_floats<std::max>, true, false, true},
    {"(int o) min_integer(int a, int b)", of_ints<std::min>, true, false, true},
    {"(int o) min(int a, int b)", of_ints<std::min>, true, false, true},
    {"(float o) min(float a, float b)", of_floats<std::min>, true, false, true},
    {"(float o) min_float(float a, float b)", of_floats<std::min>, true, false, true},
    {"(float o) pow_integer(int base, int exponent)", power, true, false, true},
    {"(float o) pow(int base, int exponent)", power, true, false, true},
    {"(float o) pow(float base, float exponent)", power, true, false, true},
    {"(float o) pow_float(float base, float exponent)", power, true, false, true},
    {"(string o) int2string(int i)", to_text, true, false, true},
    {"(string o) fromint(int i)", to_text, true, false, true},
    {"(string o) float2string(float i)", to_text, true, false, true},
    {"(string o) fromfloat(float i)", to_text, true, false, true},
    {"(string o) toString(int i)", to_text, true, false, true},
    {"(string o) toString(float i)", to_text, true, false, true},
    {"(string o) toString(boolean i)", truth_to_text, true, false, true},
    {"(string o) boolean2string(boolean i)", truth_to_text, true, false, true},
    {"(string o) bool2string(boolean i)", truth_to_text, true, false, true},
    {"(int o) bool2int(boolean i)", truth_to_int},
    {"(int o) boolean2int(boolean i)", truth_to_int},
    {"(int o) string2int(string s, int base=10)", text_to_int},
    {"(int o) parseInt(string s, int base=10)", text_to_int},
    {"(int o) toint(string s)", text_to_int},
    {"(float o) string2float(string s)", text_to_float},
    {"(float o) tofloat(string s)", text_to_float},
    {"(float o) parseFloat(string s)", text_to_float},
    {"(boolean o) string2boolean(string s)", text_to_truth},
    {"(boolean o) string2bool(string s)", text_to_truth},
    {"(float o) int2float(int i)", int_to_float, true, false, true},
    {"(float o) itof(int i)", int_to_float, true, false, true},
    {"(float o) toFloat(int i)", int_to_float, true, false, true},
    {"(int o) float2int(float i)", float_to_int},
    {"(int o) toInt(float i)", float_to_int},
    {"(int o) ftoi(float i)", float_to_int},
    {"(int o[]) range(int start, int end)", range},
    {"(int o[]) range_step(int start, int end, int step)", range},
    {"(float o[]) range_float(float start, float end)", range_float},
    {"(float o[]) range_float_step(float start, float end, float step)", range_float},
    {"<T> (string o) repr(T value)", represented},
    {"(int o) ternary(boolean b, int i, int j)", choice},
    {"(int o) zero(void v)", zero},
    {"(url o) input_url(string name)", input_url},
    {"(int n) turbine_engines()", zero},
    {"(int n) turbine_workers()", workers},
    {"(int n) adlb_servers()", servers},
};

}  // namespace
}  // namespace basic_module

const std::span<const Builtin> basic_functions = basic_module::all;

}  // namespace refrain::script
