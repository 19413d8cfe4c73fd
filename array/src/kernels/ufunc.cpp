#include "refrain/array/ufunc.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace refrain::array {

namespace {

enum class Result : std::uint8_t { same, boolean, real };

/// The loops of a function in the order in which NumPy tries them, a letter for each, which is the
/// type of all operands: e is float16, F and D are complex.
struct FunctionFacts {
    std::string_view name;
    std::uint8_t inputs;
    std::string_view loops;
    Result result = Result::same;
};
constexpr std::string_view all_loops = "?bBhHiIlLefdFD";
constexpr std::string_view number_loops = "bBhHiIlLefdFD";
constexpr std::string_view real_loops = "bBhHiIlLefd";
constexpr std::string_view integer_loops = "bBhHiIlL";
constexpr std::string_view bit_loops = "?bBhHiIlL";
constexpr std::string_view floating_loops = "efd";
constexpr std::string_view inexact_loops = "efdFD";

constexpr std::array<FunctionFacts, ufunc_count> facts{{
    {"add", 2, all_loops},
    {"subtract", 2, number_loops},
    {"multiply", 2, all_loops},
    {"true_divide", 2, inexact_loops},
    {"floor_divide", 2, real_loops},
    {"remainder", 2, real_loops},
    {"fmod", 2, real_loops},
    {"power", 2, number_loops},
    {"float_power", 2, "dD"},
    {"maximum", 2, all_loops},
    {"minimum", 2, all_loops},
    {"fmax", 2, all_loops},
    {"fmin", 2, all_loops},
    {"less", 2, all_loops, Result::boolean},
    {"less_equal", 2, all_loops, Result::boolean},
    {"greater", 2, all_loops, Result::boolean},
    {"greater_equal", 2, all_loops, Result::boolean},
    {"equal", 2, all_loops, Result::boolean},
    {"not_equal", 2, all_loops, Result::boolean},
    {"logical_and", 2, all_loops, Result::boolean},
    {"logical_or", 2, all_loops, Result::boolean},
    {"logical_xor", 2, all_loops, Result::boolean},
    {"bitwise_and", 2, bit_loops},
    {"bitwise_or", 2, bit_loops},
    {"bitwise_xor", 2, bit_loops},
    {"left_shift", 2, integer_loops},
    {"right_shift", 2, integer_loops},
    {"arctan2", 2, floating_loops},
    {"hypot", 2, floating_loops},
    {"copysign", 2, floating_loops},
    {"nextafter", 2, floating_loops},
    {"logaddexp", 2, floating_loops},
    {"logaddexp2", 2, floating_loops},
    {"heaviside", 2, floating_loops},
    {"gcd", 2, integer_loops},
    {"lcm", 2, integer_loops},
    {"negative", 1, number_loops},
    {"positive", 1, number_loops},
    {"absolute", 1, all_loops, Result::real},
    {"fabs", 1, floating_loops},
    {"sign", 1, number_loops},
    {"square", 1, number_loops},
    {"sqrt", 1, inexact_loops},
    {"cbrt", 1, floating_loops},
    {"reciprocal", 1, number_loops},
    {"conjugate", 1, number_loops},
    {"exp", 1, inexact_loops},
    {"exp2", 1, inexact_loops},
    {"expm1", 1, inexact_loops},
    {"log", 1, inexact_loops},
    {"log2", 1, inexact_loops},
    {"log10", 1, inexact_loops},
    {"log1p", 1, inexact_loops},
    {"sin", 1, inexact_loops},
    {"cos", 1, inexact_loops},
    {"tan", 1, inexact_loops},
    {"arcsin", 1, inexact_loops},
    {"arccos", 1, inexact_loops},
    {"arctan", 1, inexact_loops},
    {"sinh", 1, inexact_loops},
    {"cosh", 1, inexact_loops},
    {"tanh", 1, inexact_loops},
    {"arcsinh", 1, inexact_loops},
    {"arccosh", 1, inexact_loops},
    {"arctanh", 1, inexact_loops},
    {"floor", 1, floating_loops},
    {"ceil", 1, floating_loops},
    {"trunc", 1, floating_loops},
    {"rint", 1, inexact_loops},
    {"logical_not", 1, all_loops, Result::boolean},
    {"invert", 1, bit_loops},
    {"isnan", 1, all_loops, Result::boolean},
    {"isinf", 1, all_loops, Result::boolean},
    {"isfinite", 1, all_loops, Result::boolean},
    {"signbit", 1, floating_loops, Result::boolean},
    {"deg2rad", 1, floating_loops},
    {"rad2deg", 1, floating_loops},
}};
static_assert(facts.back().name == "rad2deg" && facts[36].name == "negative");

const FunctionFacts& facts_of(Ufunc function) {
    return facts[static_cast<std::size_t>(function)];
}

constexpr std::string_view letters = "?bBhHiIlLfdFD";  // in the order of DType

/// Whether a float16 loop takes the operand: booleans and integers of 8 bits.
bool fits_float16(const TypeOperand& operand, bool by_value) noexcept {
    if (by_value && operand.is_scalar && operand.value != nullptr)
        return scalar_fits(operand, DType::int8) || scalar_fits(operand, DType::uint8);
    return bytes_of(operand.dtype) == 1;
}

DType output_of(Result result, DType loop) noexcept {
    if (result == Result::boolean) return DType::boolean;
    if (result == Result::real && loop == DType::complex64) return DType::float32;
    if (result == Result::real && loop == DType::complex128) return DType::float64;
    return loop;
}

/// Whether the function computes in the operands' common type, and in no other: the loops of the
/// others are tried one after the other.
bool takes_common_type(Ufunc function) noexcept {
    switch (function) {
        case Ufunc::add:
        case Ufunc::subtract:
        case Ufunc::multiply:
        case Ufunc::maximum:
        case Ufunc::minimum:
        case Ufunc::fmax:
        case Ufunc::fmin:
        case Ufunc::less:
        case Ufunc::less_equal:
        case Ufunc::greater:
        case Ufunc::greater_equal:
        case Ufunc::equal:
        case Ufunc::not_equal:
        case Ufunc::gcd:
        case Ufunc::lcm:
        case Ufunc::negative:
        case Ufunc::positive:
        case Ufunc::sign:
            return true;
        default:
            return false;
    }
}

}  // namespace

std::string_view name_of(Ufunc function) noexcept {
    return facts_of(function).name;
}

std::optional<Ufunc> ufunc_named(std::string_view name) noexcept {
    if (name == "divide") return Ufunc::true_divide;
    if (name == "mod") return Ufunc::remainder;
    if (name == "abs") return Ufunc::absolute;
    if (name == "conj") return Ufunc::conjugate;
    if (name == "bitwise_not") return Ufunc::invert;
    if (name == "radians") return Ufunc::deg2rad;
    if (name == "degrees") return Ufunc::rad2deg;
    for (std::size_t i = 0; i < facts.size(); ++i)
        if (facts[i].name == name) return static_cast<Ufunc>(i);
    return std::nullopt;
}

int inputs_of(Ufunc function) noexcept {
    return facts_of(function).inputs;
}

std::optional<UfuncTypes> resolve(Ufunc function, std::span<const TypeOperand> operands,
                                  std::optional<DType> output) noexcept {
    assert(static_cast<int>(operands.size()) == inputs_of(function));
    const FunctionFacts& now = facts_of(function);
    const auto is_integer_like = [](const TypeOperand& operand) {
        return kind_of(operand.dtype) != DTypeKind::inexact;
    };
    const bool whole = std::all_of(operands.begin(), operands.end(), is_integer_like);
    if (!output && takes_common_type(function)) {
        const DType loop = result_type(operands);
        if (now.loops.find(letters[static_cast<std::size_t>(loop)]) == std::string_view::npos)
            return std::nullopt;
        return UfuncTypes{{loop, loop}, output_of(now.result, loop)};
    }

    const bool by_value = counts_scalars_by_value(operands);
    for (const char letter : now.loops) {
        if (letter == 'e') {
            const bool taken = !output && std::all_of(operands.begin(), operands.end(),
                                                      [&](const TypeOperand& operand) {
                                                          return fits_float16(operand, by_value);
                                                      });
            if (taken && function != Ufunc::true_divide) return std::nullopt;
            continue;
        }
        const auto loop = static_cast<DType>(letters.find(letter));
        if (function == Ufunc::true_divide && whole && !output && loop != DType::float64) continue;
        const DType result = output_of(now.result, loop);
        if (output && result != *output) continue;
        const bool drops_parts = now.result == Result::real && is_complex(loop);
        const Casting casting = output && !drops_parts ? Casting::same_kind : Casting::safe;
        const bool fits =
            std::all_of(operands.begin(), operands.end(), [&](const TypeOperand& operand) {
                return can_cast(operand.dtype, loop, casting) ||
                       (by_value && operand.is_scalar && scalar_fits(operand, loop));
            });
        if (fits) return UfuncTypes{{loop, loop}, result};
    }
    return std::nullopt;
}

std::optional<UfuncTypes> resolve_reduction(Ufunc function, DType input,
                                            std::optional<DType> wanted) noexcept {
    const bool logical = function == Ufunc::logical_and || function == Ufunc::logical_or ||
                         function == Ufunc::logical_xor;
    if (logical) return UfuncTypes{{DType::boolean, DType::boolean}, DType::boolean};
    const bool widens = function == Ufunc::add || function == Ufunc::multiply;
    if (widens && !wanted && kind_of(input) != DTypeKind::inexact && bytes_of(input) < 8)
        wanted = is_unsigned_integer(input) ? DType::uint64 : DType::int64;
    const DType type = wanted.value_or(input);
    const std::array<TypeOperand, 2> operands{{{.dtype = type}, {.dtype = type}}};
    const auto types = resolve(function, operands);
    if (!types || types->output != types->inputs[0]) return std::nullopt;
    return types;
}

std::optional<Scalar> identity_of(Ufunc function, DType type) noexcept {
    switch (function) {
        case Ufunc::add:
        case Ufunc::logical_or:
        case Ufunc::logical_xor:
        case Ufunc::bitwise_or:
        case Ufunc::bitwise_xor:
        case Ufunc::hypot:
        case Ufunc::gcd:
            return converted(Scalar::of(false), type);
        case Ufunc::multiply:
        case Ufunc::logical_and:
            return converted(Scalar::of(true), type);
        case Ufunc::bitwise_and:
            return converted(Scalar::of(std::int64_t{-1}), type);
        case Ufunc::logaddexp:
        case Ufunc::logaddexp2:
            return converted(Scalar::of(-std::numeric_limits<double>::infinity()), type);
        default:
            return std::nullopt;
    }
}

bool is_reorderable(Ufunc function) noexcept {
    switch (function) {
        case Ufunc::maximum:
        case Ufunc::minimum:
        case Ufunc::fmax:
        case Ufunc::fmin:
            return true;
        default:
            return identity_of(function, DType::float64).has_value();
    }
}

}  // namespace refrain::array
