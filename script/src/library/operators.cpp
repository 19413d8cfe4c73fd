/// The operators of the language, by the names that the front end gives them.

#include "library/modules.hpp"
#include "values/text.hpp"

#include <cmath>
#include <functional>
#include <limits>

namespace refrain::script::operator_module {
namespace {

[[noreturn]] void overflow(const std::string& sign, In in) {
    throw ScriptError("integer overflow in " + text_of(in[0]) + " " + sign + " " +
                      (in.size() > 1 ? text_of(in[1]) : std::string()));
}
template <char Sign>
Value computed(In in, Services&) {
    std::int64_t made = 0;
    const std::int64_t a = in[0].integer(), b = in[1].integer();
    const bool overflows = Sign == '+'   ? __builtin_add_overflow(a, b, &made)
                           : Sign == '-' ? __builtin_sub_overflow(a, b, &made)
                                         : __builtin_mul_overflow(a, b, &made);
    if (overflows) overflow(std::string(1, Sign), in);
    return made;
}
void check_divisor(const char* sign, In in) {
    if (in[1].integer() == 0)
        throw ScriptError("division by zero in " + text_of(in[0]) + " " + sign + " 0");
    if (in[1].integer() == -1 && in[0].integer() == std::numeric_limits<std::int64_t>::min())
        overflow(sign, in);
}
Value quotient_int(In in, Services&) {
    check_divisor("%/", in);
    return in[0].integer() / in[1].integer();
}
Value remainder_int(In in, Services&) {
    check_divisor("%%", in);
    return in[0].integer() % in[1].integer();
}
Value negate_int(In in, Services&) {
    std::int64_t result = 0;
    if (__builtin_sub_overflow(std::int64_t{0}, in[0].integer(), &result)) overflow("-", in);
    return result;
}

bool equal(const Value& a, const Value& b) {
    return a.is<double>() || b.is<double>() ? a.floating() == b.floating() : a == b;
}

constexpr Builtin all[] = {
    {"(int o) plus_int(int a, int b)", computed<'+'>},
    {"(int o) minus_int(int a, int b)", computed<'-'>},
    {"(int o) times_int(int a, int b)", computed<'*'>},
    {"(int o) quotient_int(int a, int b)", quotient_int},
    {"(int o) remainder_int(int a, int b)", remainder_int},
    {"(int o) negate_int(int a)", negate_int},
    total("(float o) plus_float(float a, float b)", of(std::plus<double>())),
    total("(float o) minus_float(float a, float b)", of(std::minus<double>())),
    total("(float o) times_float(float a, float b)", of(std::multiplies<double>())),
    total("(float o) divide(float a, float b)", of(std::divides<double>())),
    {"(float o) power(float a, float b)", of([](double a, double b) { return std::pow(a, b); }),
     true, false, true},
    total("(float o) negate_float(float a)", of([](double a) { return -a; })),
    total("(boolean o) equal(int a, int b)",
          of([](const Value& a, const Value& b) { return equal(a, b); })),
    total("(boolean o) unequal(int a, int b)",
          of([](const Value& a, const Value& b) { return !equal(a, b); })),
    total("(boolean o) less(float a, float b)", of(std::less<double>())),
    total("(boolean o) at_most(float a, float b)", of(std::less_equal<double>())),
    total("(boolean o) less_int(int a, int b)", of(std::less<std::int64_t>())),
    total("(boolean o) at_most_int(int a, int b)", of(std::less_equal<std::int64_t>())),
    total("(boolean o) both(boolean a, boolean b)", of(std::logical_and<bool>())),
    total("(boolean o) either(boolean a, boolean b)", of(std::logical_or<bool>())),
    total("(boolean o) negation(boolean a)", of([](bool a) { return !a; })),
    total("(float o) to_float(int a)", of([](double a) { return a; })),
};

}  // namespace
}  // namespace refrain::script::operator_module

const refrain::script::Builtins refrain::script::operator_functions = operator_module::all;
