// Whole quotients, remainders, powers, shifts, divisors: of integers mostly.
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/loops.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

namespace {

constexpr unsigned reals = integer_types | real_types;

template <class T>
bool overflows(T a, T b) noexcept {
    if constexpr (std::is_signed_v<T>)
        return a == std::numeric_limits<T>::min() && b == -1;
    else
        return false;
}

/// Python's quotient and remainder of floats: the remainder has the divisor's sign.
template <class T>
struct Division {
    T quotient;
    T remainder;
};
template <class T>
Division<T> divided(T a, T b) noexcept {
    if (std::isnan(a) || std::isnan(b)) return {a + b, a + b};  // comparisons would raise flags
    T remainder = std::fmod(a, b);
    if (b == 0) return {a / b, remainder};
    if (std::isnan(remainder)) return {remainder, remainder};  // an infinite dividend
    T quotient = (a - remainder) / b;
    if (remainder != 0) {
        if ((b < 0) != (remainder < 0)) {
            remainder += b;
            quotient -= 1;
        }
    } else {
        remainder = std::copysign(T{0}, b);
    }
    if (quotient == 0) return {std::copysign(T{0}, a / b), remainder};
    T whole = std::floor(quotient);
    if (quotient - whole > T(0.5)) whole += 1;
    return {whole, remainder};
}

struct FloorDivide : Operation<reals> {
    template <class T>
    REFRAIN_ARRAY_MACHINE_CONVERSION static T apply(T a, T b) noexcept {
        if constexpr (is_real<T>) {
            return b == 0 ? a / b : divided(a, b).quotient;
        } else {
            if (b == 0) {
                raise(divided_by_zero);
                return 0;
            }
            if (overflows(a, b)) {
                raise(overflowed);
                return a;
            }
            const T quotient = static_cast<T>(a / b);
            const bool inexact = static_cast<T>(quotient * b) != a;
            return (a < 0) != (b < 0) && inexact ? static_cast<T>(quotient - 1) : quotient;
        }
    }
};
struct Remainder : Operation<reals> {
    template <class T>
    REFRAIN_ARRAY_MACHINE_CONVERSION static T apply(T a, T b) noexcept {
        if constexpr (is_real<T>) {
            return b == 0 ? std::fmod(a, b) : divided(a, b).remainder;
        } else {
            if (b == 0) {
                raise(divided_by_zero);
                return 0;
            }
            if (overflows(a, b)) return 0;
            const T rest = static_cast<T>(a % b);
            return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
        }
    }
};
struct FMod : Operation<reals> {
    template <class T>
    static T apply(T a, T b) noexcept {
        if constexpr (is_real<T>) {
            return std::fmod(a, b);
        } else {
            if (b == 0) {
                raise(divided_by_zero);
                return 0;
            }
            return overflows(a, b) ? T{0} : static_cast<T>(a % b);
        }
    }
};
struct IntegerPower : Operation<integer_types> {
    template <class T>
    static T apply(T a, T b) noexcept {
        if (b < 0) {
            raise(negative_power);
            return 0;
        }
        auto base = wide(a);
        auto result = wide(T{1});
        for (auto rest = wide(b); rest != 0; rest >>= 1U) {
            if ((rest & 1U) != 0) result *= base;
            base *= base;
        }
        return static_cast<T>(result);
    }
};
struct LeftShift : Operation<integer_types, true> {
    template <class T>
    static T apply(T a, T b) noexcept {
        constexpr auto bits = 8 * sizeof(T);
        const auto by = static_cast<std::make_unsigned_t<T>>(b);
        return by < bits ? static_cast<T>(wide(a) << by) : T{0};
    }
};
struct RightShift : Operation<integer_types, true> {
    template <class T>
    static T apply(T a, T b) noexcept {
        constexpr auto bits = 8 * sizeof(T);
        const auto by = static_cast<std::make_unsigned_t<T>>(b);
        if (by < bits) return static_cast<T>(a >> by);
        return static_cast<T>(a < 0 ? -1 : 0);
    }
};
template <class T>
auto magnitude(T a) noexcept {
    return a < 0 ? static_cast<decltype(wide(a))>(0U - wide(a)) : wide(a);
}
struct Gcd : Operation<integer_types> {
    template <class T>
    static T apply(T a, T b) noexcept {
        return static_cast<T>(std::gcd(magnitude(a), magnitude(b)));
    }
};
struct Lcm : Operation<integer_types> {
    template <class T>
    static T apply(T a, T b) noexcept {
        const auto divisor = std::gcd(magnitude(a), magnitude(b));
        return divisor == 0 ? T{0} : static_cast<T>(magnitude(a) / divisor * magnitude(b));
    }
};

}  // namespace

const Row* integer_row(Ufunc function) noexcept {
    switch (function) {
        REFRAIN_ARRAY_ROW(floor_divide, binary_row<FloorDivide>())
        REFRAIN_ARRAY_ROW(remainder, binary_row<Remainder>())
        REFRAIN_ARRAY_ROW(fmod, binary_row<FMod>())
        REFRAIN_ARRAY_ROW(left_shift, binary_row<LeftShift>())
        REFRAIN_ARRAY_ROW(right_shift, binary_row<RightShift>())
        REFRAIN_ARRAY_ROW(gcd, binary_row<Gcd>())
        REFRAIN_ARRAY_ROW(lcm, binary_row<Lcm>())
        REFRAIN_ARRAY_ROW(power, binary_row<IntegerPower>())
        default:
            return nullptr;
    }
}

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels
