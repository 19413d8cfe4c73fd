#include "refrain/array/dtype.hpp"

#include "refrain/array/with_type.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace refrain::array {

namespace {

struct TypeFacts {
    std::string_view name;
    DTypeKind kind;
    int order;  // of same-kind casts: they go to an equal or higher one
};
constexpr std::array<TypeFacts, dtype_count> facts{{
    {"bool", DTypeKind::boolean, 0},
    {"int8", DTypeKind::integer, 2},
    {"uint8", DTypeKind::integer, 1},
    {"int16", DTypeKind::integer, 2},
    {"uint16", DTypeKind::integer, 1},
    {"int32", DTypeKind::integer, 2},
    {"uint32", DTypeKind::integer, 1},
    {"int64", DTypeKind::integer, 2},
    {"uint64", DTypeKind::integer, 1},
    {"float32", DTypeKind::inexact, 3},
    {"float64", DTypeKind::inexact, 3},
    {"complex64", DTypeKind::inexact, 4},
    {"complex128", DTypeKind::inexact, 4},
}};
const TypeFacts& facts_of(DType type) {
    return facts[static_cast<std::size_t>(type)];
}

/// The integer type of that size, 1 to 8 bytes.
DType integer_of(std::size_t bytes, bool is_signed) noexcept {
    const int log = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    return static_cast<DType>(1 + 2 * log + (is_signed ? 0 : 1));
}

// Values of all types in four wide ones, exactly.
enum class Wide : std::uint8_t { is_signed, is_unsigned, is_floating, is_complex };
struct WideValue {
    Wide kind;
    std::int64_t as_signed = 0;
    std::uint64_t as_unsigned = 0;
    std::complex<double> number = 0;
};
template <class T>
WideValue widened(T value) noexcept {
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
        return {.kind = Wide::is_complex, .number = {value.real(), value.imag()}};
    else if constexpr (std::is_floating_point_v<T>)
        return {.kind = Wide::is_floating, .number = static_cast<double>(value)};
    else if constexpr (std::is_signed_v<T>)
        return {.kind = Wide::is_signed, .as_signed = value};
    else
        return {.kind = Wide::is_unsigned, .as_unsigned = value};
}
WideValue widened(const Scalar& value) noexcept {
    return with_type(value.dtype, [&]<class T>(T) {
        if constexpr (std::is_same_v<T, bool>)
            return widened(value.bytes[0] != std::byte{0});
        else
            return widened(value.as<T>());
    });
}

/// As x86 converts: what does not fit becomes the least number.
std::int64_t truncated(double value) noexcept {
    if (!(value >= -0x1p63 && value < 0x1p63)) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(value);
}
std::int32_t truncated_short(double value) noexcept {
    if (!(value > -0x1p31 - 1 && value < 0x1p31)) return std::numeric_limits<std::int32_t>::min();
    return static_cast<std::int32_t>(value);
}
template <class T>
T integer_from(double value) noexcept {
    if constexpr (std::is_same_v<T, std::uint64_t>) {
        if (!(value >= 0x1p63)) return static_cast<T>(truncated(value));
        return static_cast<T>(truncated(value - 0x1p63)) ^ (T{1} << 63U);
    } else if constexpr (sizeof(T) == 8 || std::is_same_v<T, std::uint32_t>) {
        return static_cast<T>(truncated(value));
    } else {
        return static_cast<T>(truncated_short(value));
    }
}

template <class T>
Scalar narrowed(const WideValue& value) noexcept {
    if constexpr (std::is_same_v<T, bool>) {
        return Scalar::of(value.as_signed != 0 || value.as_unsigned != 0 ||
                          value.number.real() != 0 || value.number.imag() != 0);
    } else if constexpr (std::is_integral_v<T>) {
        if (value.kind == Wide::is_signed) return Scalar::of(static_cast<T>(value.as_signed));
        if (value.kind == Wide::is_unsigned) return Scalar::of(static_cast<T>(value.as_unsigned));
        return Scalar::of(integer_from<T>(value.number.real()));
    } else if constexpr (std::is_floating_point_v<T>) {
        if (value.kind == Wide::is_signed) return Scalar::of(static_cast<T>(value.as_signed));
        if (value.kind == Wide::is_unsigned) return Scalar::of(static_cast<T>(value.as_unsigned));
        return Scalar::of(static_cast<T>(value.number.real()));
    } else {
        using Real = typename T::value_type;
        const Real real = narrowed<Real>(value).template as<Real>();
        return Scalar::of(T(real, static_cast<Real>(value.number.imag())));
    }
}

bool is_below_float32_max(double value) noexcept {
    constexpr double limit = 3.4e38;
    return value > -limit && value < limit;
}

/// A scalar's smallest type, and whether the value would also fit the signed type of that size.
struct SmallType {
    DType dtype;
    bool fits_signed = false;
};
SmallType small_type(const Scalar& scalar) noexcept {
    const WideValue value = widened(scalar);
    if (scalar.dtype == DType::boolean) return {DType::boolean};
    switch (value.kind) {
        case Wide::is_floating:
            return {scalar.dtype == DType::float32 || !std::isfinite(value.number.real()) ||
                            is_below_float32_max(value.number.real())
                        ? DType::float32
                        : DType::float64};
        case Wide::is_complex:
            return {scalar.dtype == DType::complex64 ||
                            (is_below_float32_max(value.number.real()) &&
                             is_below_float32_max(value.number.imag()))
                        ? DType::complex64
                        : DType::complex128};
        case Wide::is_signed:
            if (value.as_signed < 0) {
                std::size_t bytes = 1;
                while (bytes < 8 && value.as_signed < -(std::int64_t{1} << (8 * bytes - 1)))
                    bytes *= 2;
                return {integer_of(bytes, true)};
            }
            break;
        case Wide::is_unsigned:
            break;
    }
    const std::uint64_t magnitude = value.kind == Wide::is_signed
                                        ? static_cast<std::uint64_t>(value.as_signed)
                                        : value.as_unsigned;
    std::size_t bytes = 1;
    while (bytes < 8 && (magnitude >> (8 * bytes)) != 0) bytes *= 2;
    return {integer_of(bytes, false), (magnitude >> (8 * bytes - 1)) == 0};
}

}  // namespace

std::string_view name_of(DType type) noexcept {
    return facts_of(type).name;
}
DTypeKind kind_of(DType type) noexcept {
    return facts_of(type).kind;
}
bool is_signed_integer(DType type) noexcept {
    return facts_of(type).order == 2;
}
bool is_unsigned_integer(DType type) noexcept {
    return facts_of(type).order == 1;
}
bool is_floating(DType type) noexcept {
    return facts_of(type).order == 3;
}

DType promote(DType a, DType b) noexcept {
    if (facts_of(a).order > facts_of(b).order) std::swap(a, b);
    if (a == b || a == DType::boolean) return b;
    if (facts_of(a).order == facts_of(b).order) return std::max(a, b);
    const std::size_t bytes = bytes_of(a);
    if (is_signed_integer(b)) {  // and an unsigned one: the next signed one that holds both
        if (bytes < bytes_of(b)) return b;
        return bytes == 8 ? DType::float64 : integer_of(2 * bytes, true);
    }
    const bool needs_double = kind_of(a) == DTypeKind::integer ? bytes > 2 : a == DType::float64;
    if (is_complex(b)) return needs_double ? DType::complex128 : b;
    return needs_double ? DType::float64 : b;
}

bool can_cast(DType from, DType to, Casting casting) noexcept {
    switch (casting) {
        case Casting::no:
            return from == to;
        case Casting::safe:
            return promote(from, to) == to;
        case Casting::same_kind:
            return facts_of(from).order <= facts_of(to).order || promote(from, to) == to;
        case Casting::unsafe:
            return true;
    }
    return false;
}

Scalar converted(const Scalar& value, DType type) noexcept {
    if (value.dtype == type) return value;
    const WideValue wide = widened(value);
    return with_type(type, [&]<class T>(T) { return narrowed<T>(wide); });
}

DType smallest_type(const Scalar& value) noexcept {
    return small_type(value).dtype;
}

bool counts_scalars_by_value(std::span<const TypeOperand> operands) noexcept {
    bool has_array = false;
    DTypeKind arrays = DTypeKind::boolean;
    DTypeKind scalars = DTypeKind::boolean;
    for (const TypeOperand& operand : operands) {
        has_array = has_array || !operand.is_scalar;
        DTypeKind& highest = operand.is_scalar ? scalars : arrays;
        highest = std::max(highest, kind_of(operand.dtype));
    }
    return has_array && arrays >= scalars;
}

bool scalar_fits(const TypeOperand& operand, DType type) noexcept {
    if (operand.value == nullptr) return can_cast(operand.dtype, type, Casting::safe);
    const SmallType small = small_type(*operand.value);
    if (can_cast(small.dtype, type, Casting::safe)) return true;
    return small.fits_signed &&
           can_cast(integer_of(bytes_of(small.dtype), true), type, Casting::safe);
}

DType result_type(std::span<const TypeOperand> operands) noexcept {
    const bool has_scalar =
        std::any_of(operands.begin(), operands.end(),
                    [](const TypeOperand& operand) { return operand.is_scalar; });
    if (!has_scalar || !counts_scalars_by_value(operands)) {
        // From the highest type down: int8, uint16 and complex64 make complex64, not complex128.
        DType result = DType::boolean;
        for (const TypeOperand& operand : operands) result = std::max(result, operand.dtype);
        for (int type = static_cast<int>(result); type-- > 0;)
            for (const TypeOperand& operand : operands)
                if (operand.dtype == static_cast<DType>(type))
                    result = promote(result, operand.dtype);
        return result;
    }
    bool first = true;
    SmallType result{DType::boolean};
    for (const TypeOperand& operand : operands) {
        SmallType next{operand.dtype};
        if (operand.is_scalar && operand.value != nullptr) next = small_type(*operand.value);
        if (first) {
            result = next;
            first = false;
            continue;
        }
        const bool both = result.fits_signed && next.fits_signed;
        const auto counted = [](const SmallType& small, DType other) {
            const bool keeps =
                !small.fits_signed || other == DType::boolean || is_unsigned_integer(other);
            return keeps ? small.dtype : integer_of(bytes_of(small.dtype), true);
        };
        result = {promote(counted(result, next.dtype), counted(next, result.dtype)), both};
    }
    return result.dtype;
}

bool needs_values(std::span<const TypeOperand> operands) noexcept {
    if (!counts_scalars_by_value(operands)) return false;
    // Of three types and more the order of promotions matters, too.
    const bool several =
        operands.size() > 2 &&
        std::any_of(operands.begin(), operands.end(),
                    [&](const TypeOperand& operand) { return operand.dtype != operands[0].dtype; });
    DType arrays = DType::boolean;
    for (const TypeOperand& operand : operands)
        if (!operand.is_scalar) arrays = operand.dtype;
    for (const TypeOperand& operand : operands)
        if (operand.is_scalar && (several || !can_cast(operand.dtype, arrays, Casting::safe)))
            return true;
    return false;
}

}  // namespace refrain::array
