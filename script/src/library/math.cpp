/// `import math;`. PI and E are constants of the front end.

#include "library/modules.hpp"
#include "values/script_error.hpp"

#include <cmath>
#include <limits>

namespace refrain::script {
namespace math_module {
namespace {

using In = Builtin::Arguments;

template <double (*Function)(double)>
Value of(In in, Services&) {
    return Function(in[0].floating());
}
Value abs_int(In in, Services&) {
    if (in[0].integer() == std::numeric_limits<std::int64_t>::min())
        throw ScriptError("integer overflow in abs of the smallest int");
    return std::abs(in[0].integer());
}
Value is_nan(In in, Services&) {
    return Value::boolean(std::isnan(in[0].floating()));
}
Value log_to_base(In in, Services&) {
    return std::log(in[0].floating()) / std::log(in[1].floating());
}
Value atan2(In in, Services&) {
    return std::atan2(in[0].floating(), in[1].floating());
}

constexpr Builtin all[] = {
    {"(float o) floor(float x)", of<std::floor>},
    {"(float o) ceil(float x)", of<std::ceil>},
    {"(float o) round(float x)", of<std::round>},
    {"(float o) log(float x)", of<std::log>},
    {"(float o) log(float x, float base)", log_to_base},
    {"(float o) ln(float x)", of<std::log>},
    {"(float o) log2(float x)", of<std::log2>},
    {"(float o) log10(float x)", of<std::log10>},
    {"(float o) exp(float x)", of<std::exp>},
    {"(float o) sqrt(float x)", of<std::sqrt>},
    {"(float o) cbrt(float x)", of<std::cbrt>},
    {"(float o) sin(float x)", of<std::sin>},
    {"(float o) cos(float x)", of<std::cos>},
    {"(float o) tan(float x)", of<std::tan>},
    {"(float o) asin(float x)", of<std::asin>},
    {"(float o) acos(float x)", of<std::acos>},
    {"(float o) atan(float x)", of<std::atan>},
    {"(float o) atan2(float y, float x)", atan2},
    {"(boolean o) is_nan(float x)", is_nan},
    {"(boolean o) isNaN(float x)", is_nan},
    {"(int o) abs(int x)", abs_int},
    {"(int o) abs_integer(int x)", abs_int},
    {"(float o) abs(float x)", of<std::fabs>},
    {"(float o) abs_float(float x)", of<std::fabs>},
};

}  // namespace
}  // namespace math_module

const std::span<const Builtin> math_functions = math_module::all;

}  // namespace refrain::script
