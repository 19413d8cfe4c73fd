/// The operators of the language, by the names that the front end gives them.

#include "library/modules.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <cmath>
#include <functional>
#include <limits>

namespace refrain::script {
namespace operator_module {
namespace {

using In = Builtin::Arguments;

[[noreturn]] void overflow(const char* sign, In in) {
    throw ScriptError("integer overflow in " + text_of(in[0]) + " " + sign + " " +
                      (in.size() > 1 ? text_of(in[1]) : std::string()));
}
Value plus_int(In in, Services&) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(in[0].integer(), in[1].integer(), &sum)) overflow("+", in);
    return sum;
}
Value minus_int(In in, Services&) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(in[0].integer(), in[1].integer(), &difference)) overflow("-", in);
    return difference;
}
Value times_int(In in, Services&) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(in[0].integer(), in[1].integer(), &product)) overflow("*", in);
    return product;
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
/// An operation of the standard library on two floats, ints or booleans.
template <class Of>
Value floats(In in, Services&) {
    return Of()(in[0].floating(), in[1].floating());
}
template <class Of>
Value compared(In in, Services&) {
    return Value::boolean(Of()(in[0].floating(), in[1].floating()));
}
template <class Of>
Value compared_ints(In in, Services&) {
    return Value::boolean(Of()(in[0].integer(), in[1].integer()));
}
template <class Of>
Value truths(In in, Services&) {
    return Value::boolean(Of()(in[0].truth(), in[1].truth()));
}
Value power(In in, Services&) {
    return std::pow(in[0].floating(), in[1].floating());
}
Value negate_float(In in, Services&) {
    return -in[0].floating();
}

Value equal(In in, Services&) {
    if (in[0].is<double>() || in[1].is<double>())
        return Value::boolean(in[0].floating() == in[1].floating());
    return Value::boolean(in[0] == in[1]);
}
Value unequal(In in, Services& services) {
    return Value::boolean(!equal(in, services).truth());
}
Value negation(In in, Services&) {
    return Value::boolean(!in[0].truth());
}
Value to_float(In in, Services&) {
    return in[0].floating();
}

constexpr Builtin all[] = {
    {"(int o) plus_int(int a, int b)", plus_int},
    {"(int o) minus_int(int a, int b)", minus_int},
    {"(int o) times_int(int a, int b)", times_int},
    {"(int o) quotient_int(int a, int b)", quotient_int},
    {"(int o) remainder_int(int a, int b)", remainder_int},
    {"(int o) negate_int(int a)", negate_int},
    {"(float o) plus_float(float a, float b)", floats<std::plus<>>, true, false, true},
    {"(float o) minus_float(float a, float b)", floats<std::minus<>>, true, false, true},
    {"(float o) times_float(float a, float b)", floats<std::multiplies<>>, true, false, true},
    {"(float o) divide(float a, float b)", floats<std::divides<>>, true, false, true},
    {"(float o) power(float a, float b)", power, true, false, true},
    {"(float o) negate_float(float a)", negate_float, true, false, true},
    {"(boolean o) equal(int a, int b)", equal, true, false, true},
    {"(boolean o) unequal(int a, int b)", unequal, true, false, true},
    {"(boolean o) less(float a, float b)", compared<std::less<>>, true, false, true},
    {"(boolean o) at_most(float a, float b)", compared<std::less_equal<>>, true, false, true},
    {"(boolean o) less_int(int a, int b)", compared_ints<std::less<>>, true, false, true},
    {"(boolean o) at_most_int(int a, int b)", compared_ints<std::less_equal<>>, true, false, true},
    {"(boolean o) both(boolean a, boolean b)", truths<std::logical_and<>>, true, false, true},
    {"(boolean o) either(boolean a, boolean b)", truths<std::logical_or<>>, true, false, true},
    {"(boolean o) negation(boolean a)", negation, true, false, true},
    {"(float o) to_float(int a)", to_float, true, false, true},
};

}  // namespace
}  // namespace operator_module

const std::span<const Builtin> operator_functions = operator_module::all;

}  // namespace refrain::script
