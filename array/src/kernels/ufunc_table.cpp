#include "kernels/ufunc_table.hpp"

namespace refrain::array {

namespace {

constexpr std::string_view all_loops = "?bBhHiIlLefdFD";
constexpr std::string_view number_loops = "bBhHiIlLefdFD";
constexpr std::string_view real_loops = "bBhHiIlLefd";
constexpr std::string_view integer_loops = "bBhHiIlL";
constexpr std::string_view bit_loops = "?bBhHiIlL";
constexpr std::string_view floating_loops = "efd";
constexpr std::string_view inexact_loops = "efdFD";

constexpr std::array<UfuncFacts, ufunc_count> table{{
    {"add", 2, all_loops, Result::same, common_type | any_order, Identity::zero},
    {"subtract", 2, number_loops, Result::same, common_type},
    {"multiply", 2, all_loops, Result::same, common_type | any_order, Identity::one},
    {"true_divide", 2, inexact_loops},
    {"floor_divide", 2, real_loops, Result::same, 0, Identity::none, 8},
    {"remainder", 2, real_loops, Result::same, 0, Identity::none, 8},
    {"fmod", 2, real_loops, Result::same, 0, Identity::none, 8},
    {"power", 2, number_loops, Result::same, 0, Identity::none, 8},
    {"float_power", 2, "dD", Result::same, 0, Identity::none, 8},
    {"maximum", 2, all_loops, Result::same, common_type | raises_nothing | any_order},
    {"minimum", 2, all_loops, Result::same, common_type | raises_nothing | any_order},
    {"fmax", 2, all_loops, Result::same, common_type | raises_nothing | any_order},
    {"fmin", 2, all_loops, Result::same, common_type | raises_nothing | any_order},
    {"less", 2, all_loops, Result::boolean, common_type | raises_nothing},
    {"less_equal", 2, all_loops, Result::boolean, common_type | raises_nothing},
    {"greater", 2, all_loops, Result::boolean, common_type | raises_nothing},
    {"greater_equal", 2, all_loops, Result::boolean, common_type | raises_nothing},
    {"equal", 2, all_loops, Result::boolean, common_type | raises_nothing},
    {"not_equal", 2, all_loops, Result::boolean, common_type | raises_nothing},
    {"logical_and", 2, all_loops, Result::boolean, raises_nothing | any_order, Identity::one},
    {"logical_or", 2, all_loops, Result::boolean, raises_nothing | any_order, Identity::zero},
    {"logical_xor", 2, all_loops, Result::boolean, raises_nothing | any_order, Identity::zero},
    {"bitwise_and", 2, bit_loops, Result::same, any_order, Identity::all_bits},
    {"bitwise_or", 2, bit_loops, Result::same, any_order, Identity::zero},
    {"bitwise_xor", 2, bit_loops, Result::same, any_order, Identity::zero},
    {"left_shift", 2, integer_loops},
    {"right_shift", 2, integer_loops},
    {"arctan2", 2, floating_loops, Result::same, 0, Identity::none, 8},
    {"hypot", 2, floating_loops, Result::same, any_order, Identity::zero, 8},
    {"copysign", 2, floating_loops, Result::same, raises_nothing},
    {"nextafter", 2, floating_loops},
    {"logaddexp", 2, floating_loops, Result::same, any_order, Identity::minus_infinity, 8},
    {"logaddexp2", 2, floating_loops, Result::same, any_order, Identity::minus_infinity, 8},
    {"heaviside", 2, floating_loops, Result::same, raises_nothing},
    {"gcd", 2, integer_loops, Result::same, common_type | any_order, Identity::zero, 8},
    {"lcm", 2, integer_loops, Result::same, common_type, Identity::none, 8},
    {"negative", 1, number_loops, Result::same, common_type | raises_nothing},
    {"positive", 1, number_loops, Result::same, common_type | raises_nothing},
    {"absolute", 1, all_loops, Result::real},
    {"fabs", 1, floating_loops, Result::same, raises_nothing},
    {"sign", 1, number_loops, Result::same, common_type | raises_nothing},
    {"square", 1, number_loops},
    {"sqrt", 1, inexact_loops},
    {"cbrt", 1, floating_loops, Result::same, 0, Identity::none, 3},
    {"reciprocal", 1, number_loops},
    {"conjugate", 1, number_loops, Result::same, raises_nothing},
    {"exp", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"exp2", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"expm1", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"log", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"log2", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"log10", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"log1p", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"sin", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"cos", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"tan", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"arcsin", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"arccos", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"arctan", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"sinh", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"cosh", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"tanh", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"arcsinh", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"arccosh", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"arctanh", 1, inexact_loops, Result::same, 0, Identity::none, 3},
    {"floor", 1, floating_loops},
    {"ceil", 1, floating_loops},
    {"trunc", 1, floating_loops},
    {"rint", 1, inexact_loops},
    {"logical_not", 1, all_loops, Result::boolean, raises_nothing},
    {"invert", 1, bit_loops},
    {"isnan", 1, all_loops, Result::boolean, raises_nothing},
    {"isinf", 1, all_loops, Result::boolean, raises_nothing},
    {"isfinite", 1, all_loops, Result::boolean, raises_nothing},
    {"signbit", 1, floating_loops, Result::boolean, raises_nothing},
    {"deg2rad", 1, floating_loops},
    {"rad2deg", 1, floating_loops},
}};
static_assert(table.back().name == "rad2deg" && table[36].name == "negative");

}  // namespace

const std::array<UfuncFacts, ufunc_count> ufunc_table = table;

}  // namespace refrain::array
