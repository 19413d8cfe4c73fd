/// The elementwise functions: which there are, and which types they compute in.
///
// room: kernels
#pragma once

#include "refrain/array/dtype.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace refrain::array {

/// NumPy's ufuncs, by their names there.
enum class Ufunc : std::uint8_t {
    // two operands
    add,
    subtract,
    multiply,
    true_divide,
    floor_divide,
    remainder,
    fmod,
    power,
    float_power,
    maximum,
    minimum,
    fmax,
    fmin,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    logical_xor,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    left_shift,
    right_shift,
    arctan2,
    hypot,
    copysign,
    nextafter,
    logaddexp,
    logaddexp2,
    heaviside,
    gcd,
    lcm,
    // one operand
    negative,
    positive,
    absolute,
    fabs,
    sign,
    square,
    sqrt,
    cbrt,
    reciprocal,
    conjugate,
    exp,
    exp2,
    expm1,
    log,
    log2,
    log10,
    log1p,
    sin,
    cos,
    tan,
    arcsin,
    arccos,
    arctan,
    sinh,
    cosh,
    tanh,
    arcsinh,
    arccosh,
    arctanh,
    floor,
    ceil,
    trunc,
    rint,
    logical_not,
    invert,
    isnan,
    isinf,
    isfinite,
    signbit,
    deg2rad,
    rad2deg,
};
inline constexpr int ufunc_count = static_cast<int>(Ufunc::rad2deg) + 1;

[[nodiscard]] std::string_view name_of(Ufunc function) noexcept;
[[nodiscard]] std::optional<Ufunc> ufunc_named(std::string_view name) noexcept;
[[nodiscard]] int inputs_of(Ufunc function) noexcept;

/// The types that a call computes in.
struct UfuncTypes {
    std::array<DType, 2> inputs{};
    DType output = DType::float64;
};
/// The loop that NumPy 1.24 picks: the first one to which all operands can be cast safely, scalars by
/// value. `output`: the dtype= argument, if it is given. Nothing where NumPy raises UFuncTypeError
/// (boolean subtract), and where it would compute in a type that we do not have (float16).
[[nodiscard]] std::optional<UfuncTypes> resolve(Ufunc function,
                                                std::span<const TypeOperand> operands,
                                                std::optional<DType> output = {}) noexcept;
/// The types that f.reduce and f.accumulate compute in, the accumulator's first and last: sums and
/// products of short integers are computed in 64 bits, logical functions in booleans. `wanted`: the
/// dtype= argument. Nothing where NumPy has no such reduction (comparisons of numbers).
[[nodiscard]] std::optional<UfuncTypes> resolve_reduction(
    Ufunc function, DType input, std::optional<DType> wanted = {}) noexcept;
/// What a reduction starts with: nothing for those without an identity (minimum, maximum).
[[nodiscard]] std::optional<Scalar> identity_of(Ufunc function, DType type) noexcept;
/// Whether f.reduce over several axes at once is defined: associative and commutative ones.
[[nodiscard]] bool is_reorderable(Ufunc function) noexcept;

}  // namespace refrain::array
