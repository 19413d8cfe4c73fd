// Conversions between all pairs of element types. A complex number is two reals side by side, so that
// loops over reals convert the real parts; integers of both signs convert to the same bits.
#include <array>
#include <cstring>

#include "kernels/loops.hpp"

namespace refrain::array::kernels {

namespace {

template <class To, class From>
REFRAIN_ARRAY_MACHINE_CONVERSION To converted_element(From value) noexcept {
    if constexpr (is_bool<To> && is_bool<From>)
        return truth(is_true(value));
    else if constexpr (is_bool<To>)
        return truth(value != From{});
    else if constexpr (is_bool<From>)
        return static_cast<To>(is_true(value));
    else
        return static_cast<To>(value);
}

template <class To, class From>
REFRAIN_ARRAY_MACHINE_CONVERSION void convert(std::byte* const* operands, const std::int64_t* steps,
                                              std::int64_t count) {
    if (steps[0] == sizeof(From) && steps[1] == sizeof(To)) {
        const From* from = as<From>(operands[0]);
        To* to = as<To>(operands[1]);
        REFRAIN_ARRAY_INDEPENDENT
        for (std::int64_t i = 0; i < count; ++i) to[i] = converted_element<To>(from[i]);
        return;
    }
    std::byte* from = operands[0];
    std::byte* to = operands[1];
    for (std::int64_t i = 0; i < count; ++i, from += steps[0], to += steps[1])
        *as<To>(to) = converted_element<To>(*as<From>(from));
}

/// The type that stands for T among sources and targets of a conversion that only looks at bits.
template <class To, class From>
Loop loop_between() noexcept {
    if constexpr (is_integer<From> && is_integer<To>) {
        if constexpr (sizeof(To) <= sizeof(From))  // the lower bits, whatever the signs
            return convert<std::make_unsigned_t<To>, std::make_unsigned_t<From>>;
        else
            return convert<std::make_unsigned_t<To>, From>;
    } else if constexpr (is_integer<From> && is_bool<To>) {
        return convert<To, std::make_unsigned_t<From>>;
    } else if constexpr (is_bool<From> && is_integer<To>) {
        return convert<std::make_unsigned_t<To>, From>;
    } else {
        return convert<To, From>;
    }
}

/// Types without the complex ones: `from` by row.
template <class From, int... To>
constexpr std::array<Loop, 11> loops_from(std::integer_sequence<int, To...> /*types*/) {
    return {{loop_between<element<To>, From>()...}};
}
template <int... From>
std::array<std::array<Loop, 11>, 11> loops_of(std::integer_sequence<int, From...> types) {
    return {{loops_from<element<From>>(types)...}};
}
Loop real_loop(DType from, DType to) noexcept {
    static const auto loops = loops_of(std::make_integer_sequence<int, 11>());
    return loops[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

constexpr DType part_of(DType type) noexcept {
    if (type == DType::complex64) return DType::float32;
    if (type == DType::complex128) return DType::float64;
    return type;
}

/// Copies elements as they are.
template <class T>
void copy(std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
    if (steps[0] == sizeof(T) && steps[1] == sizeof(T)) {
        std::memmove(operands[1], operands[0], static_cast<std::size_t>(count) * sizeof(T));
        return;
    }
    std::byte* from = operands[0];
    std::byte* to = operands[1];
    if (steps[0] == 0 && steps[1] == sizeof(T)) {
        const T value = *as<T>(from);
        T* target = as<T>(to);
        static constexpr T zero{};
        if (std::memcmp(&value, &zero, sizeof(T)) == 0)
            std::memset(to, 0, static_cast<std::size_t>(count) * sizeof(T));
        else
            for (std::int64_t i = 0; i < count; ++i) target[i] = value;
        return;
    }
    for (std::int64_t i = 0; i < count; ++i, from += steps[0], to += steps[1])
        *as<T>(to) = *as<T>(from);
}

template <class R>
void complex_to_bool(std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
    std::byte* from = operands[0];
    std::byte* to = operands[1];
    for (std::int64_t i = 0; i < count; ++i, from += steps[0], to += steps[1]) {
        const R* parts = as<R>(from);
        *as<Bool>(to) = truth(parts[0] != 0 || parts[1] != 0);
    }
}
template <class To, class From>
void complex_to_complex(std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
    std::byte* from = operands[0];
    std::byte* to = operands[1];
    for (std::int64_t i = 0; i < count; ++i, from += steps[0], to += steps[1]) {
        const From* parts = as<From>(from);
        To* target = as<To>(to);
        target[0] = static_cast<To>(parts[0]);
        target[1] = static_cast<To>(parts[1]);
    }
}
/// The real parts by another loop, then zeros.
template <class R, int From>
void to_complex(std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
    real_loop(static_cast<DType>(From), dtype_of<R>())(operands, steps, count);
    std::byte* to = operands[1];
    for (std::int64_t i = 0; i < count; ++i, to += steps[1]) as<R>(to)[1] = 0;
}
template <class R, int... From>
Loop to_complex_loop(DType from, std::integer_sequence<int, From...> /*types*/) noexcept {
    static constexpr std::array<Loop, 11> loops{{to_complex<R, From>...}};
    return loops[static_cast<std::size_t>(from)];
}

}  // namespace

Loop cast_loop(DType from, DType to) noexcept {
    if (from == to) {
        if (from == DType::boolean) return copy<std::uint8_t>;
        switch (bytes_of(from)) {
            case 1:
                return copy<std::uint8_t>;
            case 2:
                return copy<std::uint16_t>;
            case 4:
                return copy<std::uint32_t>;
            case 8:
                return from == DType::complex64 ? copy<std::complex<float>> : copy<std::uint64_t>;
            default:
                return copy<std::complex<double>>;
        }
    }
    constexpr auto real_types_of = std::make_integer_sequence<int, 11>();
    if (is_complex(from)) {
        const bool single = from == DType::complex64;
        if (to == DType::boolean) return single ? complex_to_bool<float> : complex_to_bool<double>;
        if (is_complex(to))
            return single ? complex_to_complex<double, float> : complex_to_complex<float, double>;
        return real_loop(part_of(from),
                         to);  // its contiguous loop is not taken: the step is double
    }
    if (to == DType::complex64) return to_complex_loop<float>(from, real_types_of);
    if (to == DType::complex128) return to_complex_loop<double>(from, real_types_of);
    return real_loop(from, to);
}

}  // namespace refrain::array::kernels
