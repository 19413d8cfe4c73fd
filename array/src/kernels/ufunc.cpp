#include "refrain/array/ufunc.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "kernels/ufunc_table.hpp"

namespace refrain::array {

namespace {

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
    for (std::size_t i = 0; i < ufunc_table.size(); ++i)
        if (ufunc_table[i].name == name) return static_cast<Ufunc>(i);
    return std::nullopt;
}

int inputs_of(Ufunc function) noexcept {
    return facts_of(function).inputs;
}

std::optional<UfuncTypes> resolve(Ufunc function, std::span<const TypeOperand> operands,
                                  std::optional<DType> output) noexcept {
    assert(static_cast<int>(operands.size()) == inputs_of(function));
    const UfuncFacts& now = facts_of(function);
    const auto is_integer_like = [](const TypeOperand& operand) {
        return kind_of(operand.dtype) != DTypeKind::inexact;
    };
    const bool whole = std::all_of(operands.begin(), operands.end(), is_integer_like);
    if (!output && now.has(common_type)) {
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
    switch (facts_of(function).identity) {
        case Identity::zero:
            return converted(Scalar::of(false), type);
        case Identity::one:
            return converted(Scalar::of(true), type);
        case Identity::all_bits:
            return converted(Scalar::of(std::int64_t{-1}), type);
        case Identity::minus_infinity:
            return converted(Scalar::of(-std::numeric_limits<double>::infinity()), type);
        case Identity::none:
            break;
    }
    return std::nullopt;
}

bool is_reorderable(Ufunc function) noexcept {
    return facts_of(function).has(any_order);
}

}  // namespace refrain::array
