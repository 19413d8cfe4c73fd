/// Element types of arrays, and how types combine, as NumPy 1.24 has them.
///
// room: layout
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace refrain::array {

/// In NumPy's order of type numbers.
enum class DType : std::uint8_t {
    boolean,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float32,
    float64,
    complex64,
    complex128,
};
inline constexpr int dtype_count = 13;

/// Kinds in the order in which NumPy prefers the later one: a scalar of a lower or equal kind than
/// the arrays' does not decide the result's type, its value does.
enum class DTypeKind : std::uint8_t { boolean, integer, inexact };

namespace detail {
inline constexpr std::array<std::uint8_t, dtype_count> dtype_bytes{1, 1, 1, 2, 2, 4, 4,
                                                                   8, 8, 4, 8, 8, 16};
}
[[nodiscard]] constexpr std::size_t bytes_of(DType type) noexcept {
    return detail::dtype_bytes[static_cast<std::size_t>(type)];
}
/// "bool", "int8", ..., "complex128".
[[nodiscard]] std::string_view name_of(DType type) noexcept;
[[nodiscard]] DTypeKind kind_of(DType type) noexcept;
[[nodiscard]] bool is_signed_integer(DType type) noexcept;
[[nodiscard]] bool is_unsigned_integer(DType type) noexcept;
[[nodiscard]] bool is_floating(DType type) noexcept;
[[nodiscard]] constexpr bool is_complex(DType type) noexcept {
    return type >= DType::complex64;
}

/// numpy.promote_types.
[[nodiscard]] DType promote(DType a, DType b) noexcept;

enum class Casting : std::uint8_t { no, safe, same_kind, unsafe };
/// numpy.can_cast for types.
[[nodiscard]] bool can_cast(DType from, DType to, Casting casting) noexcept;

/// The type number for C++ type T: bool, fixed-width integers, float, double, std::complex of both.
template <class T>
[[nodiscard]] constexpr DType dtype_of() noexcept {
    if constexpr (std::is_same_v<T, bool>)
        return DType::boolean;
    else if constexpr (std::is_same_v<T, float>)
        return DType::float32;
    else if constexpr (std::is_same_v<T, double>)
        return DType::float64;
    else if constexpr (std::is_same_v<T, std::complex<float>>)
        return DType::complex64;
    else if constexpr (std::is_same_v<T, std::complex<double>>)
        return DType::complex128;
    else {
        static_assert(std::is_integral_v<T>,
                      "arrays hold bool, integers, float, double, std::complex of both");
        constexpr int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return static_cast<DType>(1 + 2 * log + (std::is_signed_v<T> ? 0 : 1));
    }
}

/// A value of any element type.
struct Scalar {
    DType dtype = DType::float64;
    alignas(16) std::array<std::byte, 16> bytes{};

    template <class T>
    [[nodiscard]] static Scalar of(const T& value) noexcept {
        Scalar scalar{.dtype = dtype_of<T>()};
        std::memcpy(scalar.bytes.data(), &value, sizeof(T));
        return scalar;
    }
    /// T must be the type that `dtype` names.
    template <class T>
    [[nodiscard]] T as() const noexcept {
        T value;
        std::memcpy(&value, bytes.data(), sizeof(T));
        return value;
    }
};
/// The value converted as NumPy's astype does.
[[nodiscard]] Scalar converted(const Scalar& value, DType type) noexcept;
/// numpy.min_scalar_type.
[[nodiscard]] DType smallest_type(const Scalar& value) noexcept;

/// What decides the type of a result: an operand's type, and for a scalar operand its value.
struct TypeOperand {
    DType dtype = DType::float64;
    bool is_scalar = false;         // 0-d, or a Python or C++ scalar
    const Scalar* value = nullptr;  // of a scalar, if it is known; null: counts with its type
};
/// numpy.result_type (value-based, section 9 of NEP 50's "current behaviour"): if all operands are
/// scalars or a scalar's kind is above that of every array, types are promoted; else each scalar
/// counts with its smallest type.
[[nodiscard]] DType result_type(std::span<const TypeOperand> operands) noexcept;
/// Whether result_type() needs the values of these scalars: not where the arrays' type holds every
/// value of the scalars' types, so that a deferred scalar need not be waited for.
[[nodiscard]] bool needs_values(std::span<const TypeOperand> operands) noexcept;

/// Whether there are arrays and no scalar's kind is above theirs, so that scalars count by value.
[[nodiscard]] bool counts_scalars_by_value(std::span<const TypeOperand> operands) noexcept;
/// Whether the scalar's value, where it is known, can be cast to the type safely.
[[nodiscard]] bool scalar_fits(const TypeOperand& scalar, DType type) noexcept;

}  // namespace refrain::array
