/// `import math;`. PI and E are constants of the front end.

#include "library/modules.hpp"

#include <cmath>
#include <limits>

namespace refrain::script {
namespace math_module {
namespace {

template <double (*Function)(double)>
Value from_float(In in, Services&) {
    return Function(in[0].floating());
}
Value abs_int(In in, Services&) {
    if (in[0].integer() == std::numeric_limits<std::int64_t>::min())
        throw ScriptError("integer overflow in abs of the smallest int");
    return std::abs(in[0].integer());
}

constexpr Builtin all[] = {
    {"(float o) floor(float x)", from_float<std::floor>},
    {"(float o) ceil(float x)", from_float<std::ceil>},
    {"(float o) round(float x)", from_float<std::round>},
    {"(float o) log|ln(float x)", from_float<std::log>},
    {"(float o) log(float x, float base)",
     of([](double x, double base) { return std::log(x) / std::log(base); })},
    {"(float o) log2(float x)", from_float<std::log2>},
    {"(float o) log10(float x)", from_float<std::log10>},
    {"(float o) exp(float x)", from_float<std::exp>},
    {"(float o) sqrt(float x)", from_float<std::sqrt>},
    {"(float o) cbrt(float x)", from_float<std::cbrt>},
    {"(float o) sin(float x)", from_float<std::sin>},
    {"(float o) cos(float x)", from_float<std::cos>},
    {"(float o) tan(float x)", from_float<std::tan>},
    {"(float o) asin(float x)", from_float<std::asin>},
    {"(float o) acos(float x)", from_float<std::acos>},
    {"(float o) atan(float x)", from_float<std::atan>},
    {"(float o) atan2(float y, float x)", of([](double y, double x) { return std::atan2(y, x); })},
    {"(boolean o) is_nan|isNaN(float x)", of([](double x) { return std::isnan(x); })},
    {"(int o) abs|abs_integer(int x)", abs_int},
    {"(float o) abs|abs_float(float x)", from_float<std::fabs>},
};

}  // namespace
}  // namespace math_module

const std::span<const Builtin> math_functions = math_module::all;

}  // namespace refrain::script
