// Arithmetic that machines do in an instruction or two.
#include <cmath>
#include <limits>

#include "kernels/complex_numbers.hpp"
#include "kernels/loops.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

namespace {

constexpr unsigned arithmetic_types = boolean_types | integer_types | real_types | complex_types;
constexpr unsigned numbers = integer_types | real_types | complex_types;

// Complex numbers where products are added: not in loops for machines that fuse the two, as g++ 12 does in vectors of
// alternating signs (vfmaddsub) whatever -ffp-contract says. Other loops, of the same bits everywhere, take their place.
#if defined(__FMA__) || defined(__AVX512F__)
constexpr unsigned complex_products = 0;
#else
constexpr unsigned complex_products = complex_types;
#endif

struct Add : Operation<arithmetic_types, true, true> {
    template <class T>
    static T apply(T a, T b) noexcept {
        if constexpr (is_bool<T>)
            return truth(is_true(a) || is_true(b));
        else
            return static_cast<T>(wide(a) + wide(b));
    }
};
struct Subtract : Operation<numbers, true, true> {
    template <class T>
    static T apply(T a, T b) noexcept {
        return static_cast<T>(wide(a) - wide(b));
    }
};
struct Multiply
    : Operation<boolean_types | integer_types | real_types | complex_products, true, true> {
    template <class T>
    static T apply(T a, T b) noexcept {
        if constexpr (is_bool<T>)
            return truth(is_true(a) && is_true(b));
        else if constexpr (is_complex_type<T>)
            return product(a, b);
        else
            return static_cast<T>(wide(a) * wide(b));
    }
};
struct TrueDivide : Operation<real_types | complex_products, true> {
    template <class T>
    REFRAIN_ARRAY_MACHINE_CONVERSION static T apply(T a, T b) noexcept {
        if constexpr (is_complex_type<T>)
            return quotient(a, b);
        else
            return a / b;
    }
};

/// The greater or the lesser one; of equal ones (zeros of both signs) the second. A NaN wins, or loses,
/// against numbers.
template <bool greater, bool nan_wins>
struct Extremum : Operation<arithmetic_types, true> {
    static constexpr bool any_order = true;
    template <class T>
    static T apply(T a, T b) noexcept {
        if constexpr (is_complex_type<T>) {
            const bool first = greater ? is_less_or_equal(b, a) : is_less_or_equal(a, b);
            return has_nan(nan_wins ? a : b) || first ? a : b;
        } else if constexpr (is_real<T>) {
            const T decides = nan_wins ? a : b;
            const bool first = greater ? a > b : a < b;
            return static_cast<int>(first) | static_cast<int>(decides != decides) ? a : b;
        } else {
            return (greater ? a >= b : a <= b) ? a : b;
        }
    }
    template <class Register>
    static Register apply_lanes(Register a, Register b) noexcept {
        const Register decides = nan_wins ? a : b;
        if constexpr (greater)
            return ((a > b) | (decides != decides)) ? a : b;
        else
            return ((a < b) | (decides != decides)) ? a : b;
    }
    /// The same of lanes without a NaN.
    template <class Register>
    static Register apply_ordered_lanes(Register a, Register b) noexcept {
        return (greater ? a > b : a < b) ? a : b;
    }
};
using Maximum = Extremum<true, true>;
using Minimum = Extremum<false, true>;
using FMax = Extremum<true, false>;
using FMin = Extremum<false, false>;

struct Negative : Operation<numbers, true, true> {
    template <class T>
    static T apply(T a) noexcept {
        if constexpr (is_integer<T>)
            return static_cast<T>(0U - wide(a));
        else
            return -a;
    }
};
struct Positive : Operation<numbers, true, true> {
    template <class T>
    static T apply(T a) noexcept {
        return a;
    }
};
struct Absolute : Operation<arithmetic_types, true> {
    template <class T>
    static auto apply(T a) noexcept {
        if constexpr (is_complex_type<T>)
            return std::hypot(a.real(), a.imag());
        else if constexpr (is_real<T>)
            return std::abs(a);
        else if constexpr (is_integer<T> && std::is_signed_v<T>)
            return static_cast<T>(a < 0 ? 0U - wide(a) : wide(a));
        else
            return a;
    }
};
struct FAbs : Operation<real_types, true> {
    template <class T>
    static T apply(T a) noexcept {
        return std::abs(a);
    }
};
template <class T>
T sign_of(T a) noexcept {
    if (a > 0) return 1;
    if (a < 0) return static_cast<T>(-1);
    return a == 0 ? T{0} : a;
}
struct Sign : Operation<numbers> {
    template <class T>
    static T apply(T a) noexcept {
        if constexpr (is_complex_type<T>) {
            if (has_nan(a)) return {std::numeric_limits<typename T::value_type>::quiet_NaN(), 0};
            return {sign_of(a.real() != 0 ? a.real() : a.imag()), 0};
        } else if constexpr (is_integer<T> && !std::is_signed_v<T>) {
            return static_cast<T>(a > 0);
        } else {
            return sign_of(a);
        }
    }
};
struct Square : Operation<integer_types | real_types | complex_products, true, true> {
    template <class T>
    static T apply(T a) noexcept {
        return Multiply::apply(a, a);
    }
};
struct Sqrt : Operation<real_types, true> {
    template <class T>
    static T apply(T a) noexcept {
        return std::sqrt(a);
    }
};
struct Reciprocal : Operation<integer_types | real_types | complex_products, true> {
    template <class T>
    static T apply(T a) noexcept {
        if constexpr (is_complex_type<T>) {
            using R = typename T::value_type;
            if (std::abs(a.imag()) <= std::abs(a.real())) {
                const R ratio = a.imag() / a.real();
                const R scale = a.real() + a.imag() * ratio;
                return {1 / scale, -ratio / scale};
            }
            const R ratio = a.real() / a.imag();
            const R scale = a.real() * ratio + a.imag();
            return {ratio / scale, -1 / scale};
        } else if constexpr (is_real<T>) {
            return 1 / a;
        } else {
            if (a == 0) {
                raise(divided_by_zero | invalid);
                // What machines convert infinity to, in registers of 32 and 64 bits.
                return sizeof(T) >= 4 ? std::numeric_limits<T>::min() : T{0};
            }
            if constexpr (std::is_signed_v<T>)
                return a == 1 || a == -1 ? a : T{0};
            else
                return a == 1 ? a : T{0};
        }
    }
};
struct Conjugate : Operation<numbers, true, true> {
    template <class T>
    static T apply(T a) noexcept {
        if constexpr (is_complex_type<T>)
            return {a.real(), -a.imag()};
        else
            return a;
    }
};

}  // namespace

const Row* arithmetic_row(Ufunc function) noexcept {
    switch (function) {
        REFRAIN_ARRAY_ROW(add, binary_row<Add>())
        REFRAIN_ARRAY_ROW(subtract, binary_row<Subtract>())
        REFRAIN_ARRAY_ROW(multiply, binary_row<Multiply>())
        REFRAIN_ARRAY_ROW(true_divide, binary_row<TrueDivide>())
        REFRAIN_ARRAY_ROW(maximum, binary_row<Maximum>())
        REFRAIN_ARRAY_ROW(minimum, binary_row<Minimum>())
        REFRAIN_ARRAY_ROW(fmax, binary_row<FMax>())
        REFRAIN_ARRAY_ROW(fmin, binary_row<FMin>())
        REFRAIN_ARRAY_ROW(negative, unary_row<Negative>())
        REFRAIN_ARRAY_ROW(positive, unary_row<Positive>())
        REFRAIN_ARRAY_ROW(absolute, unary_row<Absolute>())
        REFRAIN_ARRAY_ROW(fabs, unary_row<FAbs>())
        REFRAIN_ARRAY_ROW(sign, unary_row<Sign>())
        REFRAIN_ARRAY_ROW(square, unary_row<Square>())
        REFRAIN_ARRAY_ROW(reciprocal, unary_row<Reciprocal>())
        REFRAIN_ARRAY_ROW(conjugate, unary_row<Conjugate>())
        REFRAIN_ARRAY_ROW(sqrt, unary_row<Sqrt>())
        default:
            return nullptr;
    }
}

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels
