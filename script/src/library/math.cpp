/// `import math;` and `import random;`. PI and E are constants of the front end.

#include "library/modules.hpp"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

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

/// The sequence of a worker follows from its thread and TURBINE_SRAND.
std::mt19937_64& generator() {
    static std::atomic<std::uint64_t> threads{0};
    thread_local std::mt19937_64 own = [] {
        const char* seed = std::getenv("TURBINE_SRAND");
        const std::uint64_t begin = seed == nullptr ? 0 : std::strtoull(seed, nullptr, 10);
        // Relaxed: the numbers differ, and nothing else is published by them.
        return std::mt19937_64(begin * 1000 + threads.fetch_add(1, std::memory_order_relaxed));
    }();
    return own;
}
Value random_int(In in, Services&) {
    const std::int64_t begin = in[0].integer();
    const std::int64_t end = in[1].integer();
    if (begin >= end)
        throw ScriptError("randint: the range from ", begin, " up to ", end, " is empty");
    return std::uniform_int_distribution<std::int64_t>(begin, end - 1)(generator());
}

constexpr Builtin of_random[] = {
    {"(float o) random()",
     of([] { return std::uniform_real_distribution<double>(0, 1)(generator()); }), false},
    {"(int o) randint(int start, int end)", random_int, false},
};
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
const std::span<const Builtin> random_functions = math_module::of_random;

std::int64_t random_below(std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>(0, end - 1)(math_module::generator());
}

}  // namespace refrain::script
